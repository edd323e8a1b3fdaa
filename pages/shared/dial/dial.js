// One value with two handles. Streamlit calls the default export on the first draw and on every answer of the server.

const dials = new WeakMap();
let number = 0;

// Plain digits, as they are typed: 0.00000001 and not 1e-8.
function written(value) {
  return value.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: 15 });
}

function read(text) {
  const plain = text.trim().replace(",", ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

function mount(parent) {
  const host = document.createElement("div");
  const id = `par-dial-${(number += 1)}`;
  host.className = "par-dial";
  host.innerHTML = `
    <span><label class="par-dial-label" for="${id}"></label><button type="button" class="par-dial-help" aria-describedby="${id}-hint">?</button><span class="par-dial-hint" role="tooltip" id="${id}-hint"></span></span>
    <input class="par-dial-field" id="${id}" type="text" role="spinbutton" aria-describedby="${id}-refused" inputmode="decimal" autocomplete="off" enterkeyhint="done">
    <input class="par-dial-slider" type="range" min="0" step="1">
    <div class="par-dial-refused" role="alert" id="${id}-refused"></div>`;
  parent.appendChild(host);
  const part = (name) => host.querySelector(`.par-dial-${name}`);
  const dial = { host, field: part("field"), slider: part("slider"), refused: part("refused"), label: part("label"), help: part("help"), hint: part("hint"), sent: 0, value: NaN };

  dial.field.addEventListener("change", () => typed(dial));
  dial.field.addEventListener("focus", () => dial.field.select());
  dial.field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { steps } = dial.data;
    const from = Number.isNaN(read(dial.field.value)) ? dial.value : read(dial.field.value);
    const beside = step > 0 ? steps.find((each) => each > from) : steps.findLast((each) => each < from);
    if (beside !== undefined) tell(dial, beside);
  });
  dial.slider.addEventListener("input", () => {
    dial.dragged = true; // until it is let go, no answer moves the thumb
    show(dial, dial.data.steps[dial.slider.value]);
    if (!dial.keyed) announce(dial, "move"); // a key tells at once
  });
  dial.slider.addEventListener("keydown", () => (dial.keyed = true));
  for (const end of ["keyup", "pointerdown"]) dial.slider.addEventListener(end, () => (dial.keyed = false));
  dial.slider.addEventListener("change", () => tell(dial, dial.data.steps[dial.slider.value]));
  for (const end of ["change", "pointerup", "pointercancel", "blur"]) dial.slider.addEventListener(end, () => (dial.dragged = false));
  const others = ({ detail }) => (host.isConnected ? detail.dial === dial.data.dial && held(dial, detail) : window.removeEventListener("par-drag", others));
  window.addEventListener("par-drag", others);
  for (const near of ["pointerenter", "focusin", "pointerdown"]) host.addEventListener(near, () => announce(dial, "near"));
  return dial;
}

// Charts with frames of this dial listen: `near` asks for the frames, `move` draws one of them.
function announce(dial, what) {
  window.dispatchEvent(new CustomEvent("par-dial", { detail: { what, dial: dial.data.dial, value: dial.value } }));
}

// The line of a chart is drawn aside: the thumb goes along to the nearest step, as seen on a logarithmic axis, and is let go with it.
function held(dial, { what, value }) {
  const { steps } = dial.data;
  if (what === "near") return announce(dial, "near");
  dial.dragged = what === "move";
  if (what === "end") return tell(dial, dial.value);
  const away = (each) => Math.abs(steps[0] > 0 ? Math.log(each / value) : each - value);
  const wanted = what === "cancel" ? dial.data.value : steps.reduce((best, each) => (away(each) < away(best) ? each : best));
  if (wanted === dial.value) return;
  show(dial, wanted);
  announce(dial, "move");
}

function typed(dial) {
  const text = dial.field.value;
  const { least, most } = dial.data;
  const value = read(text);
  if (value === dial.value || !text.trim()) return show(dial, dial.value);
  if (value >= least && value <= most) return tell(dial, value);
  const named = Number.isNaN(value) ? `“${text.trim().slice(0, 20)}” is no number` : `${written(value)} cannot be used`;
  show(dial, dial.value);
  dial.field.setAttribute("aria-invalid", "true");
  dial.refused.textContent = `${named}: it must be from ${written(least)} to ${written(most)}. ${written(dial.value)} stays.`;
}

function tell(dial, value) {
  show(dial, value);
  dial.sent += 1;
  send(dial, { value, count: dial.sent });
  setTimeout(() => announce(dial, "move")); // the server is asked before time goes into a picture
}

// Of two events at the same moment Streamlit can lose one: what nobody has heard when the page is at rest is said again.
function send(dial, told) {
  dial.setTriggerValue("told", told);
  clearTimeout(dial.again);
  dial.again = setTimeout(function again() {
    if (!dial.host.isConnected || dial.data.heard >= told.count) return;
    const busy = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState !== "notRunning";
    if (busy) dial.again = setTimeout(again, 500);
    else send(dial, told);
  }, 1000);
}

function show(dial, value) {
  dial.value = value;
  dial.refused.textContent = "";
  dial.field.removeAttribute("aria-invalid");
  dial.field.value = written(value);
  place(dial, value);
}

// Where the thumb stands among the present steps; the field and what is said of it are left alone.
function place(dial, value) {
  const { steps } = dial.data;
  const nearest = steps.reduce((best, each, at) => (Math.abs(each - value) < Math.abs(steps[best] - value) ? at : best), 0);
  dial.field.setAttribute("aria-valuenow", written(value));
  dial.slider.max = steps.length - 1;
  dial.slider.value = nearest;
  dial.slider.setAttribute("aria-valuetext", written(value));
}

export default function ({ parentElement, data, setTriggerValue }) {
  let dial = dials.get(parentElement);
  const fresh = !dial;
  if (fresh) dials.set(parentElement, (dial = mount(parentElement)));
  dial.setTriggerValue = setTriggerValue;
  dial.data = data;
  if (data.session !== dial.session) Object.assign(dial, { session: data.session, sent: data.heard }); // the server knows nothing older
  if (fresh) {
    dial.label.textContent = data.label;
    dial.slider.setAttribute("aria-label", data.label);
    dial.field.setAttribute("aria-valuemin", written(data.least));
    dial.field.setAttribute("aria-valuemax", written(data.most));
    dial.help.setAttribute("aria-label", `What is ${data.label}?`);
    dial.hint.textContent = data.hint;
  }
  // An answer to an older event is not news, and a word about a value that was refused stays until another one is set.
  if (dial.dragged) return;
  if (data.heard >= dial.sent && data.value !== dial.value) show(dial, data.value);
  else place(dial, dial.value);
}
