// What is wrong with the texts of one chart, as [kind, text, other text or line]; nothing where all of them can be read.
// Called with the figure; boxes lie along the text, so that slanted labels are judged by what they cover.
(figure) => {
  const SLACK = 2; // pixels by which boxes may overlap: they hold more than the letters
  const corners = (box, matrix) =>
    [[box.x, box.y], [box.x + box.width, box.y], [box.x + box.width, box.y + box.height], [box.x, box.y + box.height]].map(
      ([x, y]) => new DOMPoint(x, y).matrixTransform(matrix),
    );
  const quad = (text) => corners(text.getBBox(), text.getScreenCTM());
  const axes = (points) =>
    [0, 1].map((side) => {
      const [dx, dy] = [points[side + 1].x - points[side].x, points[side + 1].y - points[side].y];
      const length = Math.hypot(dx, dy) || 1;
      return { x: dx / length, y: dy / length };
    });
  const reach = (points, axis) => {
    const along = points.map((point) => point.x * axis.x + point.y * axis.y);
    return [Math.min(...along), Math.max(...along)];
  };
  // How deep two boxes lie in one another: the least over the directions of their sides.
  const depth = (one, other) =>
    Math.min(
      ...[...axes(one), ...axes(other)].map((axis) => {
        const [[low, high], [otherLow, otherHigh]] = [reach(one, axis), reach(other, axis)];
        return Math.min(high, otherHigh) - Math.max(low, otherLow);
      }),
    );
  // How far a box reaches out of another one whose sides are level.
  const beyond = (points, { left, right, top, bottom }) =>
    Math.max(...points.map(({ x, y }) => Math.max(left - x, x - right, top - y, y - bottom)));

  const rows = (text) => [...text.querySelectorAll(":scope > tspan.line")];
  const words = (text) => (rows(text).map((line) => line.textContent).join(" ") || text.textContent).replaceAll("\u00a0", " ").trim();
  const role = (text) => text.closest("[class$=tick], [class^=legend], [class$=title], .annotation, .textpoint, .bartext, .trace");
  const texts = [...figure.querySelectorAll("svg.main-svg text")].filter(
    (text) => words(text) && !text.closest(".hoverlayer") && text.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const boxes = texts.map(quad);
  const found = [];

  const edge = figure.getBoundingClientRect();
  texts.forEach((text, index) => {
    // A line is a third higher than its letters, which alone may not be cut.
    const { x, y, width, height } = text.getBBox();
    const spare = (0.15 * height) / (rows(text).length || 1);
    const letters = corners({ x, width, y: y + spare, height: height - 2 * spare }, text.getScreenCTM());
    if (beyond(letters, edge) > 1) found.push(["outside its chart", words(text), ""]);
    for (let node = text; node !== figure; node = node.parentNode) {
      const clip = /#([^"')]+)/.exec(node.getAttribute?.("clip-path") ?? "");
      const frame = clip && document.getElementById(clip[1])?.querySelector("rect");
      if (!frame) continue;
      const [first, , third] = corners(frame.getBBox(), node.getScreenCTM());
      const window = { left: first.x, top: first.y, right: third.x, bottom: third.y };
      if (beyond(letters, window) > SLACK) found.push(["cut", words(text), clip[1].replace(/[0-9a-f]{6}/, "")]);
    }
    const written = words(text);
    if (/\d[eE][-+−]?\d/.test(written) || /no unit|NaN|undefined|Infinity|<\/?\w/.test(written)) found.push(["not for people", written, ""]);
    if (/tick/.test(role(text)?.getAttribute("class") ?? "") && /^[^a-z]*\d\s?[yzafpnµum]$/i.test(written)) found.push(["not for people", written, ""]);
    for (let other = index + 1; other < texts.length; other += 1)
      if (depth(boxes[index], boxes[other]) > SLACK) found.push(["overlap", written, words(texts[other])]);
  });

  // Lines through the labels of curves. A label's own curve has its colour, or goes through the marker that it stands at.
  const lines = [...figure.querySelectorAll(".scatterlayer .js-line, .shapelayer path")]
    .filter((line) => line.getTotalLength && line.checkVisibility() && parseFloat(getComputedStyle(line).strokeWidth) > 0)
    .map((line) => {
      const [length, matrix, points] = [line.getTotalLength(), line.getScreenCTM(), []];
      for (let at = 0; at <= length; at += 2) points.push(line.getPointAtLength(at).matrixTransform(matrix));
      const trace = line.closest(".trace");
      return { line, points, trace, name: trace?.__data__?.[0]?.trace?.name ?? "a shape", colour: getComputedStyle(line).stroke };
    });
  texts.forEach((text, index) => {
    const trace = text.closest(".scatterlayer .trace");
    if (!trace && !text.closest(".annotation")) return;
    const letters = text.getBBox();
    const core = corners(
      { x: letters.x + 1, width: letters.width - 2, y: letters.y + 0.2 * letters.height, height: 0.6 * letters.height },
      text.getScreenCTM(),
    );
    const inside = (point) =>
      axes(core).every((axis) => {
        const [low, high] = reach(core, axis);
        const at = point.x * axis.x + point.y * axis.y;
        return at > low && at < high;
      });
    const markers = trace ? [...trace.querySelectorAll(".point")].map((point) => point.getBoundingClientRect()) : [];
    const middles = markers.map((box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 }));
    for (const { points, colour, name, trace: of } of lines) {
      if (!points.some(inside)) continue;
      const through = middles.some((middle) => points.some((point) => Math.hypot(point.x - middle.x, point.y - middle.y) < 4));
      const own = of === trace || through || colour === getComputedStyle(text).fill;
      found.push([own ? "crossed by its own curve" : "crossed", words(text), name]);
    }
  });
  return found;
}
