// What happens in a page between a reader's hand and the painted picture; loaded before the page itself.
(() => {
  const now = () => performance.now();
  const watch = (window.parBench = { changed: now(), result: null, frames: [], shift: 0, wordsToo: false });

  // --- the wire: when was asked, when came the first word of the answer, when the chart? ---
  const mark = (name) => (watch.marks[name] ??= now());
  watch.marks = {};
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...asked) {
      super(...asked);
      this.addEventListener("message", () => {
        if (!watch.marks.sent || watch.marks.react) return;
        mark("first");
        watch.marks.chart = now(); // the last message before the chart is drawn; what was sent before comes as its hash alone
      });
    }
    send(data) {
      mark("sent");
      super.send(data);
    }
  };
  function wrapPlotly() {
    const { Plotly } = window;
    if (!Plotly || watch.react) return;
    watch.react = Plotly.react;
    Plotly.react = (...asked) => {
      if (watch.marks.first) mark("react");
      return watch.react(...asked);
    };
  }

  // --- what is seen ---
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) watch.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });

  // st.plotly_chart replaces its node and may show the old and the new one together: every chart of the page is looked at in
  // every frame, and one that shows words which none showed before is the redrawn one. Our charts have a caption, which the
  // server writes: what the browser draws of its own accord while a dial is dragged leaves it as it is.
  const drawn = (plot) => plot.querySelector(".scatterlayer .trace path") && plot.querySelector(".gtitle");
  const plots = () => [...document.querySelectorAll(".js-plotly-plot")].filter(drawn);
  const words = (plot) =>
    plot.closest("figure")?.querySelector("figcaption")?.textContent
    ?? [...plot.querySelectorAll("svg text")].map((text) => text.textContent).join("|");
  const prose = () =>
    [...document.querySelectorAll('[data-testid="stMain"] [data-testid="stMarkdownContainer"]')].map((text) => text.textContent).join("|");

  let turn = 0;
  function begin(event) {
    wrapPlotly();
    const before = new Map(plots().map((plot) => [plot, words(plot)]));
    const [known, said, mine, pressed] = [new Set(before.values()), prose(), (turn += 1), event.timeStamp];
    watch.result = null;
    watch.marks = {};
    const look = () => {
      if (turn !== mine) return;
      const redrawn = plots().find((plot) => !known.has(words(plot)));
      // Words that a frame has changed already stay as they are; those that none could change were pale until now.
      const told = () => prose() !== said || !document.querySelector(".par-moving");
      if (!redrawn || (watch.wordsToo && !told())) return requestAnimationFrame(look);
      requestAnimationFrame(() => {
        const marks = { ...watch.marks, painted: now() };
        for (const name of Object.keys(marks)) marks[name] -= pressed;
        watch.result = { milliseconds: marks.painted, same: before.has(redrawn), marks };
      });
    };
    requestAnimationFrame(look);
  }
  addEventListener("keydown", begin, { capture: true });
  addEventListener("pointerup", begin, { capture: true });

  // --- while a dial is dragged: from the move of the pointer to the painted frame that shows it ---
  let [moved, waiting, redrawn, dragging] = [0, [], false, false];
  const painted = new MessageChannel();
  painted.port1.onmessage = () => {
    if (!redrawn) return;
    watch.frames.push(...waiting.map((since) => now() - since));
    [waiting, redrawn] = [[], false];
  };
  const frame = () => {
    painted.port2.postMessage(null); // heard right after this frame is painted
    if (dragging) requestAnimationFrame(frame);
  };
  addEventListener("pointermove", (event) => (moved = event.timeStamp), { capture: true });
  addEventListener("input", ({ target }) => {
    if (target.type !== "range" || !target.closest(".par-dial")) return;
    waiting.push(moved);
    if (waiting.length === 1) redrawn = false;
  }, { capture: true });
  addEventListener("pointerdown", () => {
    [waiting, redrawn, dragging, watch.frames] = [[], false, true, []];
    requestAnimationFrame(frame);
  }, { capture: true });
  addEventListener("pointerup", () => (dragging = false), { capture: true });

  addEventListener("DOMContentLoaded", () => {
    new MutationObserver((changes) => {
      watch.changed = now();
      if (changes.some(({ target }) => target.closest?.(".scatterlayer"))) redrawn = true;
      // Where the frame under the thumb is the server's figure already, only its caption is written.
      if (watch.marks.first && changes.some(({ target }) => target.closest?.("figcaption"))) mark("react");
    }).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
  });
  watch.idle = () =>
    now() - watch.changed > 450 && // a figure that was on the screen already is drawn again a moment later
     document.querySelector('[data-testid="stApp"]').dataset.testScriptState === "notRunning";
})();
