// --- frames on the layout that stands ---
// Plotly.react lays a whole chart out again, margins and legend too, and that is most of its time. A frame that changes curves, words
// and axes alone is drawn without: Plotly draws the curves anew, and the axes whose ends or ticks change, between the margins that
// stand, and words are written into the nodes that hold them. What is asked of Plotly here is its own, not its promise: the version is
// fixed, and a test compares every kind of frame with the figure that Plotly.react draws.

// What a frame may change, by its place in a figure.
const MOVABLE = {
  curve: /^data\.(\d+)\.(x|y|text|textposition|name|width|error_[xy]\.array|error_[xy]\.arrayminus)(\.\d+)?$/,
  title: /^layout\.title\.text$/,
  axis: /^layout\.([xy]axis\d*)\.(range|tickvals|ticktext)(\.\d+)?$/,
  label: /^layout\.annotations\.(\d+)\.(x|y|text|xanchor|yanchor|xshift|yshift)$/,
  shape: /^layout\.shapes\.(\d+)\.([xy][01])$/,
};
// A frame does not have them, and who moves a dial does not point at a curve.
const ONLY_AT_REST = new Set(["customdata", "hovertemplate", "meta"]);

// True if the frame is drawn; if not, some of it can be, and Plotly.react has to draw all of it.
async function redrawn(chart, given, figure) {
  try {
    return await isRedrawn(chart, given, figure);
  } catch {
    return false; // a figure of a build that is not looked for here
  }
}

async function isRedrawn({ plot, drawn: before }, given, figure) {
  if (before?.room !== given.room || !standsAsGiven(plot, before.figure)) return false;
  const moved = movement(before, given);
  if (!moved) return false;
  const { _fullLayout: layout, _fullData: traces } = plot;
  const names = new Map([...moved.curve].filter(([, keys]) => keys.has("name")).map(([index]) => [Number(index), figure.data[index].name]));
  const reach = reachOfTicks(plot);
  if (moved.title.size && !retitled(plot, figure.layout.title.text)) return false;
  if (names.size && !legendRewritten(plot, names)) return false;
  for (const [name, keys] of moved.axis) {
    if (![...keys].every((key) => before.figure.layout[name][key] && figure.layout[name][key])) return false;
    put(layout[name], figure.layout[name], keys);
  }
  for (const [index, keys] of moved.curve) {
    put(traces[index], figure.data[index], keys);
    if (!isCounted(traces[index])) return false;
  }
  for (const [index, keys] of moved.shape) put(layout.shapes[index], figure.layout.shapes[index], keys);
  for (const [index, keys] of moved.label) {
    put(layout.annotations[index], figure.layout.annotations[index], keys);
    moveRoom(plot, layout.annotations[index]);
  }
  calculate(plot);
  const asked = {};
  for (const axis of axesOf(layout)) {
    if (axis.autorange && !isMeasured(plot, axis, moved)) return false;
    if (!moved.axis.has(axis._name) && (!axis.autorange || isFilled(plot, axis))) continue;
    asked[axis.autorange ? `${axis._name}.autorange` : `${axis._name}.range`] = axis.autorange || figure.layout[axis._name].range;
  }
  if (!Object.keys(asked).length) return plotOn(plot), true;
  await Plotly.relayout(plot, asked);
  // Margins and the titles of axes make room for the words at their ticks.
  return reachOfTicks(plot).every((place, at) => place === reach[at] || Math.abs(place - reach[at]) < 0.25);
}

// Whether the reader has not zoomed since, nor taken a curve out by the legend.
function standsAsGiven({ _fullLayout: layout, _fullData: traces }, { data, layout: given }) {
  return (
    traces.every(({ visible }, index) => visible === (data[index].visible ?? true)) &&
    axesOf(layout).every(({ _name, range, autorange }) => {
      const wanted = given[_name]?.range;
      return wanted ? !autorange && wanted.every((end, at) => end === range[at]) : autorange === true;
    })
  );
}

const axesOf = (layout) => Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name)).map((name) => layout[name]);

// By kind, what has moved: the keys of each curve, each label and each axis; null if more than that has changed.
function movement(before, after) {
  const moved = Object.fromEntries(Object.keys(MOVABLE).map((kind) => [kind, new Map()]));
  for (const path of differences(before.figure, after.figure, before.arrays === after.arrays)) {
    const [kind, found] = Object.entries(MOVABLE).map(([kind, places]) => [kind, places.exec(path)]).find(([, found]) => found) ?? [];
    if (!found) return null;
    const [, which, key] = found;
    if (!moved[kind].has(which)) moved[kind].set(which, new Set());
    moved[kind].get(which).add(key);
  }
  return moved;
}

// Numbers are not looked at one by one: those of two frames are the same if they stand in the same place of the same arrays.
const areNumbers = (part) => part?.bdata !== undefined || (part?.array !== undefined && !("type" in part));

function* differences(one, other, sameArrays, path = "") {
  if (one === other) return;
  if (areNumbers(one) && areNumbers(other)) {
    if (!sameArrays || one.array === undefined || one.array !== other.array) yield path;
  } else if (one && other && typeof one === "object" && typeof other === "object" && !areNumbers(one) && !areNumbers(other) && Array.isArray(one) === Array.isArray(other) && one.length === other.length) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      if (!ONLY_AT_REST.has(key)) yield* differences(one[key], other[key], sameArrays, path ? `${path}.${key}` : key);
  } else yield path;
}

// Both in what Plotly was given and in what it has made of it.
function put(full, given, keys) {
  for (const key of keys) {
    const [part, last] = key.split(".");
    for (const each of [full, full._input]) {
      if (last) each[part][last] = given[part][last];
      else each[part] = given[part];
    }
  }
}

// False for a curve that has points and had none, or the other way round.
function isCounted(full) {
  const number = Math.min(full.x?.length ?? 0, full.y?.length ?? 0);
  const is = number > 0 === full._length > 0;
  if (number) full._length = number;
  return is;
}

// What Plotly calculates of its curves before it draws them.
function calculate(plot) {
  const { _plots: subplots } = plot._fullLayout;
  const modules = new Set();
  plot.calcdata = plot._fullData.map((trace) => {
    trace._extremes = {};
    trace.hoverinfo = "skip"; // what is told of a point is of the figure before
    if (trace.visible === true) modules.add(trace._module);
    let points = trace.visible === true ? trace._module.calc(plot, trace) : [];
    if (!points[0]) points = [{}];
    Object.assign(points[0], { trace, t: points[0].t ?? {} });
    return points;
  });
  for (const { crossTraceCalc } of modules) for (const subplot of Object.values(subplots)) crossTraceCalc?.(plot, subplot);
  for (const points of plot.calcdata) for (const axis of "xy") if (points[0].trace[`error_${axis}`]?.visible) calculateErrors(points, axis);
}

function calculateErrors(points, axis) {
  const { array, arrayminus } = points[0].trace[`error_${axis}`];
  points.forEach((point, index) => {
    if (!Number.isFinite(point[axis])) return;
    point[`${axis}s`] = point[axis] - (arrayminus ?? array)[index];
    point[`${axis}h`] = point[axis] + array[index];
  });
}

function plotOn(plot) {
  const cartesian = plot._fullLayout._basePlotModules.find(({ name }) => name === "cartesian");
  cartesian.plot(plot);
  cartesian.transitionAxes(plot, []); // on axes that stay it draws the labels
  for (const { style } of new Set(plot._fullData.map(({ _module }) => _module))) style(plot);
}

// What error bars, new labels and shapes need of an axis without a range of its own is known to Plotly alone, before it draws them.
function isMeasured({ _fullLayout: layout, _fullData: traces }, { _id }, { label, shape }) {
  const isOn = (each) => each[`${_id[0]}ref`] === _id;
  return (
    !traces.some((trace) => trace[`error_${_id[0]}`]?.visible) &&
    ![...label].some(([index, keys]) => keys.has("text") && isOn(layout.annotations[index])) &&
    ![...shape.keys()].some((index) => isOn(layout.shapes[index]))
  );
}

// Whether such an axis stays as it is: all that is drawn has room, and something touches both ends.
function isFilled({ _fullLayout: layout, _fullData: traces }, axis) {
  const letter = axis._id[0];
  const along = (value) => (letter === "x" ? axis.l2p(value) : axis._length - axis.l2p(value));
  const room = ({ pad, extrapad }) => pad + (extrapad ? 0.05 * axis._length : 0);
  const holders = [...traces.filter(({ visible }) => visible === true), ...layout.annotations.filter(({ visible }) => visible)];
  const extremes = holders.flatMap(({ _extremes }) => _extremes?.[axis._id] ?? []);
  const lowest = Math.min(...extremes.flatMap(({ min }) => min.map((each) => along(each.val) - room(each))));
  const highest = Math.max(...extremes.flatMap(({ max }) => max.map((each) => along(each.val) + room(each))));
  return Math.abs(lowest) < 0.1 && Math.abs(highest - axis._length) < 0.1;
}

// A label that has moved needs its room elsewhere.
function moveRoom({ _fullLayout: layout }, label) {
  for (const axis of axesOf(layout)) {
    const { min = [], max = [] } = label._extremes?.[axis._id] ?? {};
    for (const each of [...min, ...max]) each.val = axis.r2l(label[axis._id[0]]);
  }
}

// How far the words at the ticks of each axis reach away from it: all of them, and those beside its title.
function reachOfTicks(plot) {
  return axesOf(plot._fullLayout).flatMap(({ _id }) => {
    const [begin, end, low, high] = _id[0] === "x" ? ["left", "right", "top", "bottom"] : ["top", "bottom", "left", "right"];
    const boxes = [...plot.querySelectorAll(`.${_id}tick text`)].map((text) => text.getBoundingClientRect());
    const title = plot.querySelector(`.${_id}title`)?.getBoundingClientRect();
    const beside = boxes.filter((box) => title && box[end] > title[begin] - 2 && box[begin] < title[end] + 2);
    return [boxes, beside].flatMap((each) => [Math.min(...each.map((box) => box[low])), Math.max(...each.map((box) => box[high]))]);
  });
}

// --- words in the nodes that Plotly has made for them ---

// Writes a text where another one stands; false if the markup is not the same, or a piece of it holds a letter written as markup.
function rewritten(node, before, after) {
  const [old, now] = [before, after].map((text) => text.split(/(<[^>]*>)/));
  const texts = [];
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode);
  const pieces = now.filter((piece, at) => piece && at % 2 === 0);
  if (old.length !== now.length || texts.length !== pieces.length) return false;
  if (now.some((piece, at) => piece !== old[at] && (at % 2 || !piece || !old[at] || piece.includes("&")))) return false;
  const changed = now.flatMap((piece, at) => (piece && at % 2 === 0 ? [piece !== old[at]] : []));
  pieces.forEach((piece, at) => changed[at] && (texts[at].data = piece));
  node.setAttribute("data-unformatted", after);
  return true;
}

function retitled(plot, text) {
  const node = plot.querySelector(".gtitle");
  const { title } = plot._fullLayout;
  if (!node || !rewritten(node, title.text, text)) return false;
  title.text = plot.layout.title.text = text;
  return true;
}

// New names of curves, by their index; false if the rows of the legend would not be the same.
function legendRewritten(plot, names) {
  const { legend } = plot._fullLayout;
  const node = plot.querySelector("g.legend");
  const entries = node ? [...node.querySelectorAll("g.traces")].map((entry) => ({ entry, item: entry.__data__[0] })) : [];
  const renamed = entries.filter(({ item }) => names.has(item.trace.index));
  for (const { entry, item } of renamed) {
    const text = entry.querySelector(".legendtext");
    if (!rewritten(text, item.trace.name, names.get(item.trace.index))) return false;
    item.width = text.getBoundingClientRect().width;
  }
  return !renamed.length || legendPlaced(plot, legend, node, entries);
}

// As Plotly places the entries of a legend below a chart: side by side if one row holds them, else in columns of one width.
const GAP = 5;

function legendPlaced(plot, legend, node, entries) {
  if (legend.orientation !== "h" || legend._height > legend._maxHeight || legend.borderwidth || legend.title.text) return false;
  const lead = legend.indentation + legend.itemwidth + 2 * GAP;
  const widths = entries.map(({ item }) => item.width + lead);
  const isOneRow = widths.reduce((sum, width) => sum + width + GAP, -GAP) < legend._maxWidth;
  const column = Math.max(...widths);
  let [x, widest, height] = [0, 0, null];
  for (const [index, { entry }] of entries.entries()) {
    const step = (isOneRow ? widths[index] : column) + GAP;
    if (step + x - GAP >= legend._maxWidth) x = 0;
    const [, y] = /,\s*([-\d.]+)\)/.exec(entry.getAttribute("transform"));
    if ((x > 0) !== (y === height)) return false; // another number of rows leaves less room, or more, between the axes
    height = y;
    entry.setAttribute("transform", `translate(${x},${y})`);
    entry.querySelector(".legendtoggle").setAttribute("width", widths[index] + GAP / 2);
    widest = Math.max(widest, x + widths[index] + GAP);
    x += step;
  }
  legend._width = Math.ceil(widest);
  node.querySelector(".bg").setAttribute("width", legend._width);
  plot.querySelector(`#legend${plot._fullLayout._uid} rect`).setAttribute("width", legend._width);
  return true;
}
