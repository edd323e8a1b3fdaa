// All that can be seen in a chart: for each piece what it is, with its look and its words, and where it lies, in pixels.
// Called with the figure. Of a line there are points at even distances along it, of all else there is the box.
// As one text: value by value a browser hands them over slowly.
async (figure) => {
  const POINTS = 360;
  const plot = figure.querySelector(".js-plotly-plot");
  // For who wants little motion each change takes a moment all the same, in which the old place is still told.
  while (plot.getAnimations({ subtree: true }).length) await new Promise((done) => requestAnimationFrame(done));
  const { left, top } = plot.getBoundingClientRect();
  const look = (node) => {
    const { stroke, strokeWidth, strokeDasharray, fill, opacity, fontSize } = getComputedStyle(node);
    return [stroke, strokeWidth, strokeDasharray, fill.replace(/"#.*"/, "pattern"), opacity, fontSize].join(" ");
  };
  const along = (line) => {
    const length = line.getTotalLength(), matrix = line.getScreenCTM();
    return Array.from({ length: POINTS + 1 }, (_, at) => {
      const { x, y } = line.getPointAtLength((length * at) / POINTS).matrixTransform(matrix);
      return [x - left, y - top];
    });
  };
  const traces = [...plot.querySelectorAll(".trace")];
  const part = (node) => {
    const trace = traces.indexOf(node.closest(".trace"));
    const group = node.closest("[class$=tick], [class^=legend], [class$=title], .annotation, .overplot, .trace");
    return `${node.tagName} ${(node.getAttribute("class") ?? "").split(" ")[0]} of ${trace < 0 ? group?.getAttribute("class") : `trace ${trace}`}`;
  };
  const pieces = [...plot.querySelectorAll("svg.main-svg path, svg.main-svg rect, svg.main-svg text")]
    .filter((node) => !node.closest("defs, .hoverlayer, .draglayer, .dragcover, .modebar") && node.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
    .map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      const words = node.tagName === "text" ? node.textContent : "";
      const isLine = node.tagName === "path" && node.matches(".js-line, .js-fill");
      if (isLine && !node.getTotalLength()) return null;
      // A filled line can go through places far apart: its corners tell more than points along it.
      const corners = isLine ? node.getAttribute("d").match(/-?[\d.]+/g).map(Number) : null;
      return { what: `${part(node)} ${look(node)} ${words}`, corners, isBar: !!node.closest(".barlayer"), at: isLine ? along(node) : [[x - left, y - top], [x + width - left, y + height - top]] };
    })
    .filter(Boolean);
  return JSON.stringify(pieces);
}
