// Draws one Plotly figure on a node that stays: Plotly.react updates it in place, so nothing flickers.
// Streamlit calls the default export on the first draw, on every change of data and on every change of theme.

const charts = new WeakMap();
let library;

// The page's own script tells where the server's files are, whatever base path it stands under.
function staticAddress(file) {
  const script = document.querySelector('script[type="module"][src*="static/js/"]');
  const root = script ? new URL("../../", script.src) : new URL("./", document.baseURI);
  return new URL(`app/static/${file}`, root).href;
}

function plotly() {
  library ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = staticAddress("plotly.min.js");
    script.onload = () => resolve(remembering(window.Plotly));
    script.onerror = () => reject(new Error("the chart library could not be loaded"));
    document.head.appendChild(script);
  }).catch((error) => {
    library = undefined;
    throw error;
  });
  return library;
}

// At every drawing Plotly looks through all that a trace can hold for what may be an array: a quarter of its time.
// What it finds depends on the kind of the trace and on the arrays in it.
function remembering(Plotly) {
  const schema = Plotly.PlotSchema, find = schema.findArrayAttributes, found = new Map();
  const arrays = (part, path) =>
    Object.entries(part).flatMap(([name, value]) => {
      if (name[0] === "_" || !value || typeof value !== "object") return [];
      return Array.isArray(value) || ArrayBuffer.isView(value) ? [path + name] : arrays(value, `${path}${name}.`);
    });
  schema.findArrayAttributes = (trace) => {
    const kind = [trace.type, ...arrays(trace, "")].join();
    if (!found.has(kind)) found.set(kind, find(trace));
    return [...found.get(kind)];
  };
  return Plotly;
}

// Figures arrive painted in the light colours; each is exchanged for the colour of the same role in the present theme.
// Of a frame the arrays are put in too. What was given stays as it is.
function painted(part, exchange, arrays) {
  if (typeof part === "string") return part[0] === "#" ? (exchange.get(part.toLowerCase()) ?? part) : part.includes("#") ? part.replace(/#[0-9a-fA-F]{6}/g, (colour) => exchange.get(colour.toLowerCase()) ?? colour) : part;
  if (!part || typeof part !== "object") return part;
  if (Array.isArray(part)) return part.map((each) => painted(each, exchange, arrays));
  if (arrays && part.array !== undefined && !("type" in part)) return arrays[part.array];
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, painted(each, exchange, arrays)]));
}

function exchange(styles) {
  const present = styles.getPropertyValue("--st-chart-categorical-colors").split(",").map((colour) => colour.trim());
  return new Map(HOUSE.colours.map((colour, index) => [colour, present[index]]));
}

// A presenter's larger type is larger in the charts too, and where the style sheet says so a chart fills its room.
function enlarge(figure, factor, room) {
  if (factor <= 1.01) return;
  const walk = (value) => {
    if (!value || typeof value !== "object" || ArrayBuffer.isView(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if ((name === "font" || name === "textfont") && typeof inner?.size === "number") inner.size *= factor;
      walk(inner);
    }
  };
  walk(figure);
  const height = figure.layout.height ?? 460;
  figure.layout.height = room ? Math.max(280, room) : Math.max(280, Math.min(height, Math.round(0.5 * window.innerHeight)));
  const legend = figure.layout.template?.layout?.legend;
  // It stands below the axis title, which has grown, at so many pixels, which are given as a part of the height.
  if (legend) legend.y *= (factor * (460 - 104)) / (figure.layout.height - 104 * factor);
  const { margin } = figure.layout.template?.layout ?? {};
  figure.layout.margin = { ...figure.layout.margin, r: factor * (figure.layout.margin?.r ?? margin?.r ?? 24) }; // half of the last tick
}

function narrow(figure, width, factor) {
  if (width >= 520) return;
  const title = figure.layout.title;
  if (title?.text) title.text = wrap(title.text, Math.max(24, Math.floor(width / 8.5)));
  const lines = (title?.text ?? "").split("<br>").length;
  figure.layout.title = { ...title, y: 1 - 12 / (figure.layout.height ?? 460) };
  const named = figure.data.filter((trace) => trace.showlegend !== false && trace.name).length;
  if (figure.layout.showlegend === false) return;
  figure.layout.margin = { l: 48 * factor, r: 12, ...figure.layout.margin, t: factor * (22 + 20 * lines) };
  figure.layout.height = (figure.layout.height ?? 460) + 20 * Math.max(0, named - 2);
}

function wrap(text, length) {
  const lines = [""];
  for (const word of text.replaceAll(" = ", "\u00a0=\u00a0").split(" ")) {
    const last = lines[lines.length - 1];
    if (last && (last + " " + word).replace(/<[^>]*>/g, "").length > length) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("<br>");
}

// A picture is for paper: light colours on white whatever the theme, with its source below. Its font is one that every reader
// of it has, because a saved file does not hold the font of the page, and another one needs another width.
const PICTURE = { width: 1100, height: 620 };
const FONT = "Arial, Helvetica, Liberation Sans, sans-serif";

async function picture(Plotly, chart) {
  const { data } = chart.arguments;
  const { data: traces, layout } = JSON.parse(data.figure);
  layout.template = structuredClone(HOUSE.template);
  layout.template.layout.font.family = FONT;
  layout.title.text = wrap(layout.title.text, 125);
  Object.assign(layout, PICTURE, { margin: { ...layout.margin, t: 28 + 20 * layout.title.text.split("<br>").length } });
  // What the reader has zoomed to or switched off in the legend stays so.
  for (const [name, { range, autorange }] of Object.entries(chart.plot.layout))
    if (/^[xy]axis/.test(name)) Object.assign((layout[name] ??= {}), { range, autorange });
  chart.plot.data.forEach(({ visible }, index) => traces[index] && Object.assign(traces[index], { visible }));
  for (const trace of traces) if (trace.name) trace.name += "\u2003"; // room between the entries of the legend

  const trial = document.body.appendChild(document.createElement("div"));
  trial.style.cssText = "position: absolute; left: -9999px";
  try {
    await Plotly.newPlot(trial, traces, layout, { staticPlot: true });
    const { l: left, b: below } = trial._fullLayout._size; // what axes and legend need
    const text = wrap(data.source, 160);
    const room = 12 + 16 * text.split("<br>").length;
    layout.height += room;
    layout.margin.b = below + room;
    const source = { text, x: 0, xshift: 12 - left, y: 0, yshift: 4 - layout.margin.b, xanchor: "left", yanchor: "bottom", font: { size: 12 } };
    layout.annotations = [...(layout.annotations ?? []), { ...source, xref: "paper", yref: "paper", align: "left", showarrow: false }];
  } finally {
    Plotly.purge(trial);
    trial.remove();
  }
  return { data: traces, layout };
}

async function save(chart, format, clear) {
  const Plotly = await plotly();
  const figure = await picture(Plotly, chart);
  const { width, height } = figure.layout;
  if (clear) Object.assign(figure.layout, { paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)" });
  return Plotly.downloadImage(figure, { format, filename: chart.arguments.data.name, width, height, scale: format === "png" ? 2 : 1 });
}

function files(chart) {
  const bar = document.createElement("div");
  bar.className = "par-chart-files";
  for (const [label, format, clear, hint] of [
    ["PNG", "png", false, "Save the chart as a picture on white"],
    ["PNG, clear", "png", true, "Save the chart as a picture without background"],
    ["SVG", "svg", false, "Save the chart as a drawing on white"],
  ]) {
    const button = bar.appendChild(document.createElement("button"));
    Object.assign(button, { type: "button", textContent: label, title: hint, ariaLabel: `Save as ${label}` });
    button.addEventListener("click", () => save(chart, format, clear));
  }
  return bar;
}

// --- frames: the figure at the stops of a dial, drawn while its thumb moves ---

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const plain = await new Response(stream).arrayBuffer();
  const length = new DataView(plain).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(plain, 4, length)));
  const planes = new Uint8Array(plain, 4 + length);
  const count = planes.length / 4;
  const mixed = new Uint8Array(planes.length);
  for (let plane = 0; plane < 4; plane += 1) for (let at = 0; at < count; at += 1) mixed[4 * at + plane] = planes[plane * count + at];
  const numbers = new Float32Array(mixed.buffer);
  let start = 0;
  const arrays = head.lengths.map((each) => numbers.subarray(start, (start += each)));
  return { ...head, arrays };
}

// Copies only what lies on the way to a change.
function changed(first, changes) {
  const figure = { ...first };
  const copied = new Set([figure]);
  for (const [path, value] of changes) {
    let part = figure;
    for (const step of path.slice(0, -1)) {
      if (!copied.has(part[step])) copied.add((part[step] = Array.isArray(part[step]) ? [...part[step]] : { ...part[step] }));
      part = part[step];
    }
    const last = path[path.length - 1];
    if (value === null) delete part[last];
    else part[last] = value;
  }
  return figure;
}

// Asked while the page is at rest alone: of a section that is asked right after a run of the whole page, Streamlit can lose what that
// run has drawn, and then it takes the chart away for a moment.
function ask(chart, dial, delay) {
  clearTimeout(chart.later);
  chart.later = setTimeout(function again() {
    const { data, setTriggerValue } = chart.arguments;
    const of = data.dials?.[dial]?.of;
    if (!chart.host.isConnected || !of || chart.frames[dial]?.of === of || chart.asked === of) return;
    const busy = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
    if (busy) return void (chart.later = setTimeout(again, 100));
    chart.asked = of;
    setTriggerValue("frames", dial);
  }, delay);
}

function heard(chart, { what, dial, value }) {
  const { data } = chart.arguments ?? {};
  const wanted = data?.dials?.[dial];
  if (!wanted || !chart.host.clientWidth) return;
  const held = chart.frames[dial];
  if (what === "move") chart.last = { what, dial, value }; // frames that come late begin here
  if (held?.of !== wanted.of) return ask(chart, dial, what === "near" ? 0 : 150);
  const frame = what === "move" && held.unpacked?.frames.find(({ at }) => at === value);
  if (!frame || chart.moving?.frame === frame) return;
  const waiting = chart.moving;
  // Back where the server's own figure stands, that one is drawn: it can be pointed at.
  const { first, arrays } = held.unpacked;
  const figure = value === wanted.value ? null : changed(first, frame.changes);
  chart.moving = { frame, figure, arrays, words: frame.words, drawn: false, dial, of: wanted.of };
  if (waiting && !waiting.drawn) return;
  requestAnimationFrame(() => {
    if (!chart.moving) return;
    chart.moving.drawn = true;
    speak(chart, chart.moving.words);
    chart.host.closest(SECTION)?.classList.toggle("par-moving", !!chart.moving.figure); // what else is written is of before
    const { figure } = chart.moving;
    draw(chart, figure && chart.moving).catch(() => {});
    if (!figure) chart.moving = null;
  });
}

function keep(chart, { frames, dials }, isNew) {
  chart.asked = undefined;
  if (isNew) {
    chart.last = undefined;
    document.querySelectorAll(".par-old-words").forEach((node) => node.classList.remove("par-old-words"));
    document.querySelectorAll(".par-more-words").forEach((node) => node.remove());
    restWords();
  }
  for (const [dial, packed] of Object.entries(frames ?? {})) {
    const held = (chart.frames[dial] = { of: dials[dial].of });
    const come = (unpacked) => {
      held.unpacked = unpacked;
      if (chart.last?.dial === dial) heard(chart, chart.last);
    };
    unpack(packed).then(come, () => delete chart.frames[dial]);
  }
}

// Words are changed letter by letter in the nodes that Streamlit has made: what it writes next finds them where they were.
const SECTION = '[role="tabpanel"], [data-testid="stMain"]';
const PLACES = { headline: '[data-testid="stMain"] h2', strip: ".st-key-strip p" };

function speak(chart, words) {
  const near = chart.host.closest(SECTION) ?? document;
  for (const [where, every] of Object.entries(words ?? {})) {
    const scope = where === "headline" ? near : document;
    const nodes = [...scope.querySelectorAll(PLACES[where])].filter((node) => node.clientWidth);
    nodes.slice(every.length).forEach((node) => node.classList.add("par-old-words"));
    const more = every.slice(nodes.length).map((pieces) => pieces.join("")).join(" ");
    const room = where === "strip" && document.querySelector(".st-key-strip");
    if (room) (room.querySelector(".par-more-words") ?? added(room)).textContent = more;
    every.forEach((pieces, index) => {
      if (!nodes[index]) return;
      const texts = [];
      const walker = document.createTreeWalker(nodes[index], NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
      // A sentence of another build cannot be written into these nodes: it is faded until the server's own comes.
      const same = texts.length === pieces.length;
      nodes[index].classList.toggle("par-old-words", !same);
      if (same) pieces.forEach((piece, at) => texts[at].data !== piece && (texts[at].data = piece));
    });
  }
}

// Words for which there is no node yet; they go as soon as the server's own come.
function added(room) {
  const extra = room.appendChild(Object.assign(document.createElement("strong"), { className: "par-more-words" }));
  new MutationObserver((_, watch) => (watch.disconnect(), extra.remove())).observe(room, { childList: true });
  return extra;
}

// --- the handle: who draws the line of their own setting aside turns the dial of it, which owns the value ---

function handle(chart) {
  const node = chart.host.appendChild(document.createElement("div"));
  Object.assign(node, { className: "par-chart-handle", title: "Drag the line to move it", ariaHidden: "true" }); // keys turn the dial
  let away = null; // of the pointer from the line, while it is held
  const tell = (what, value) => window.dispatchEvent(new CustomEvent("par-drag", { detail: { what, dial: chart.arguments.data.handle, value } }));
  const letGo = (what) => {
    if (away === null) return;
    away = null;
    node.classList.remove("par-held");
    tell(what);
  };
  node.addEventListener("pointerenter", () => tell("near"));
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const { left, width } = node.getBoundingClientRect();
    away = event.clientX - left - width / 2;
    node.setPointerCapture(event.pointerId);
    node.classList.add("par-held");
    tell("near");
    event.preventDefault(); // no text is marked
  });
  node.addEventListener("pointermove", (event) => {
    if (away === null) return;
    const { xaxis } = chart.plot._fullLayout;
    const at = event.clientX - away - chart.host.getBoundingClientRect().left - xaxis._offset;
    tell("move", xaxis.p2d(Math.min(Math.max(at, 0), xaxis._length)));
  });
  node.addEventListener("pointerup", () => letGo("end"));
  node.addEventListener("pointercancel", () => letGo("cancel"));
  chart.plot.on("plotly_afterplot", () => placeHandle(chart));
  return node;
}

// On the mark of the setting, or where the dial stands while the frames are still on their way.
function placeHandle(chart, value) {
  const mark = chart.plot._fullData.find(({ mode }) => mode === "markers+text");
  if (!chart.arguments.data.handle || !mark) return void chart.handle?.toggleAttribute("hidden", true);
  chart.handle ??= handle(chart);
  const { xaxis, yaxis } = chart.plot._fullLayout;
  const x = xaxis.d2p(value ?? mark.x[0]);
  chart.handle.hidden = x < 0 || x > xaxis._length; // the reader has zoomed
  chart.handle.style.cssText = `left: ${xaxis._offset + x}px; top: ${yaxis._offset}px; height: ${yaxis._length}px; --grip: ${yaxis.d2p(mark.y[0])}px`;
}

function mount(parent) {
  const host = document.createElement("figure");
  host.className = "par-chart";
  host.innerHTML = '<div class="par-chart-plot"></div><figcaption class="par-chart-alt" aria-live="polite"></figcaption>';
  parent.appendChild(host);
  const chart = { host, plot: host.firstElementChild, alt: host.lastElementChild, generation: 0, width: 0, frames: {} };
  chart.listener = (event) => {
    heard(chart, event.detail);
    if (chart.handle?.matches(".par-held") && event.detail.what === "move") placeHandle(chart, event.detail.value);
  };
  window.addEventListener("par-dial", chart.listener);
  // Plotly itself only listens to the window: a chart first drawn in a hidden tab would keep a width of zero.
  // A room that changes does so in steps, as where the sidebar goes: the chart waits for the last of them.
  const fit = () => {
    const width = Math.round(host.clientWidth);
    const taller = chart.room && chart.room !== chart.host.clientHeight;
    if (width && (width !== chart.width || taller) && chart.arguments) draw(chart, chart.moving?.figure && chart.moving);
  };
  chart.observer = new ResizeObserver(() => {
    clearTimeout(chart.fits);
    if (chart.width) chart.fits = setTimeout(fit, 80);
    else fit();
  });
  chart.observer.observe(host);
  return chart;
}

async function draw(chart, moving) {
  const mine = ++chart.generation;
  clearTimeout(chart.later);
  if (!moving) delete chart.host.dataset.drawn;
  const { data, styles } = chart.arguments;
  const width = Math.round(chart.host.clientWidth);
  const fills = getComputedStyle(chart.host).getPropertyValue("--par-chart-height").trim() === "fill";
  chart.host.style.minHeight = fills ? "" : `${data.height}px`;
  const room = fills && chart.host.clientHeight;
  if (!width) {
    chart.width = 0; // drawn as soon as it is seen again
    return;
  }
  const Plotly = await plotly();
  if (mine !== chart.generation) return;
  const resized = chart.width && chart.width !== width;
  Object.assign(chart, { width, room });
  chart.host.style.setProperty("--par-chart-width", width); // what is printed is made to fit the page
  const colours = exchange(styles);
  const given = { figure: moving?.figure ?? JSON.parse(data.figure), arrays: moving?.arrays };
  const figure = painted(given.figure, colours, given.arrays);
  figure.layout.template = painted(HOUSE.template, colours);
  const factor = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  narrow(figure, width / factor, factor);
  enlarge(figure, factor, room);
  figure.layout.width = width;
  figure.layout.height ??= data.height;
  if (matchMedia("(pointer: coarse)").matches) figure.layout.dragmode = false; // a swipe scrolls the page
  figure.layout.paper_bgcolor = "rgba(0,0,0,0)";
  figure.layout.plot_bgcolor = "rgba(0,0,0,0)";
  given.room = JSON.stringify([width, room, factor, ...colours.values()]);
  const before = margins(chart);
  if (!moving || !(await redrawn(chart, given, figure))) await react(chart, Plotly, figure);
  // Where margins change, Plotly finds the place for the title of an axis, and in another width for the legend, at the next drawing only.
  if (resized) await Plotly.redraw(chart.plot);
  chart.drawn = margins(chart) === before ? given : null;
  placeHandle(chart);
  if (mine !== chart.generation || moving) return;
  chart.host.style.minHeight = "";
  const bar = chart.host.querySelector(".par-chart-files");
  if (data.menu && !bar) chart.host.append(files(chart));
  else if (!data.menu) bar?.remove();
  listen(chart);
  tell(chart);
  chart.host.dataset.drawn = String(mine);
}

const margins = ({ plot }) => JSON.stringify(plot._fullLayout?._size);

async function react(chart, Plotly, figure) {
  const { data } = chart.arguments;
  chart.drawn = null;
  figure.layout.datarevision = chart.generation; // Plotly keeps what it takes for unchanged, where a frame has left something too
  await Plotly.react(chart.plot, figure.data, figure.layout, {
    displaylogo: false,
    displayModeBar: data.menu ? "hover" : false,
    staticPlot: !data.menu,
    modeBarButtons: data.menu ? [["zoom2d", "pan2d", "resetScale2d"]] : undefined,
    doubleClick: "reset",
  });
}

// The frame under the thumb is the figure that the server has now sent: that one, with all its digits, is drawn when there is time.
function arrived(chart, { dials }) {
  const { drawn, figure, frame, dial, of } = chart.moving ?? {};
  if (!drawn || !figure || dials[dial]?.of !== of || dials[dial].value !== frame.at) return false;
  tell(chart);
  chart.later = setTimeout(() => draw(chart).catch((error) => failed(chart, error)), 300);
  return true;
}

// What is said again is read out again.
function tell(chart) {
  const { alt } = chart.arguments.data;
  if (chart.alt.textContent !== alt) chart.alt.textContent = alt;
}

function failed(chart, error) {
  chart.alt.textContent = `This chart could not be drawn: ${error.message}. ${chart.arguments.data.alt}`;
  chart.host.classList.add("par-chart-failed");
}

function listen(chart) {
  chart.plot.removeAllListeners?.("plotly_click");
  const { data, setTriggerValue } = chart.arguments;
  if (!data.click) return;
  const point = ({ curveNumber, pointIndex, pointNumber, x, y }) => ({ curve: curveNumber, index: pointIndex ?? pointNumber, x, y });
  chart.plot.on("plotly_click", (event) => setTriggerValue("click", (event?.points ?? []).map(point)));
}

// Where the dials of a chart stood when it was told.
const standing = ({ dials }) => JSON.stringify(Object.values(dials ?? {}).map(({ value }) => value));
const restWords = () => document.querySelectorAll(".par-moving").forEach((node) => node.classList.remove("par-moving"));

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  let chart = charts.get(parentElement);
  const before = chart?.arguments.data;
  if (!chart) charts.set(parentElement, (chart = mount(parentElement)));
  chart.arguments = { data, setTriggerValue, styles: getComputedStyle(parentElement) };
  chart.calls = (chart.calls ?? 0) + 1;
  const call = chart.calls;
  // Two stops of a dial can have the same figure: it is told anew all the same.
  const same = before?.figure === data.figure && standing(before) === standing(data);
  keep(chart, data, !same);
  // An answer that brings frames alone does not take the chart back from under the thumb.
  const still = (chart.moving && same) || arrived(chart, data);
  if (!still || !same) chart.moving = null;
  if (!still) draw(chart).catch((error) => failed(chart, error));
  return () => {
    if (call !== chart.calls) return; // a later call owns the node now
    chart.observer.disconnect();
    window.removeEventListener("par-dial", chart.listener);
    chart.generation += 1;
    clearTimeout(chart.later);
    if (chart.moving) restWords();
    if (window.Plotly) window.Plotly.purge(chart.plot);
    chart.host.remove();
    charts.delete(parentElement);
  };
}
