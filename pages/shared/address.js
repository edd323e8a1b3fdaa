// Keeps the address in step with the settings and copies the whole link. History is not filled: entries are replaced.

const state = (window.privacyAtRiskLink ??= { session: "", run: 0, full: "" });

function replace(address) {
  const here = new URL(window.location.href);
  const kept = [...here.searchParams].filter(([name]) => name.startsWith("embed"));
  const wanted = new URLSearchParams(address);
  for (const [name, value] of kept) wanted.append(name, value);
  const search = wanted.toString() ? `?${wanted}` : "";
  if (here.search !== search) window.history.replaceState(window.history.state, "", here.pathname + search + here.hash);
}

function full() {
  const here = new URL(window.location.href);
  return `${here.origin}${here.pathname}?${state.full}`;
}

// A link may open a section whose tab lies beyond the edge of the row, on a phone. The row scrolls for a new tab only, and alone.
function showTab() {
  const tab = document.querySelector('[role="tab"][aria-selected="true"]');
  if (!tab || tab === state.tab) return;
  state.tab = tab;
  const row = tab.parentElement;
  const [at, ends] = [tab, row].map((each) => each.getBoundingClientRect());
  const arrow = 40; // Streamlit lays one over either end of the row
  row.scrollLeft += Math.max(at.right + arrow - ends.right, 0) || Math.min(at.left - arrow - ends.left, 0);
}

async function copy(button, field) {
  const link = full();
  field.value = link;
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = "Link copied";
  } catch {
    // Browsers refuse the clipboard on plain http: then the link is shown, ready to be copied by hand.
    field.hidden = false;
    field.focus();
    field.select();
    button.textContent = "Copy the link below";
  }
  window.setTimeout(() => (button.textContent = "Copy link"), 4000);
}

// On a phone the sidebar lies over the page that was chosen in it.
state.closer ??= document.addEventListener("click", ({ target }) => {
  if (matchMedia("(max-width: 640px)").matches && target.closest?.('[data-testid="stSidebarNavLink"]'))
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}) ?? true;

// A link in a text, to one of our pages, is followed in the same session: as by a link of the browser's history. Streamlit would open
// another window. The server passes over an address that it knows, so that each click has a number of its own.
state.opener ??= document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!/^\w+\?/.test(link?.getAttribute("href") ?? "")) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const there = new URL(link.href);
  for (const [name, value] of new URLSearchParams(window.location.search)) if (name.startsWith("embed")) there.searchParams.append(name, value);
  there.searchParams.set("click", Math.round(performance.now()));
  const step = there.pathname === window.location.pathname ? "replaceState" : "pushState"; // within a page going back means the page before
  window.history[step](null, "", there);
  window.dispatchEvent(new PopStateEvent("popstate"));
}) ?? true;

// Why a file was not made only the server knows: it is asked when Streamlit says, for a few seconds, that one was not.
const watched = new WeakSet();
state.watcher ??= document.addEventListener("click", ({ target }) => {
  const button = target.closest?.('[data-testid="stDownloadButton"]');
  if (!button || watched.has(button)) return;
  watched.add(button);
  let failed = false;
  new MutationObserver(() => {
    const fails = button.querySelector('[data-testid="stDownloadButtonError"]') !== null;
    if (fails && !failed) state.tell("failed", true);
    failed = fails;
  }).observe(button, { childList: true, subtree: true });
}) ?? true;

export default function ({ data, parentElement, setTriggerValue }) {
  if (data.button) state.tell = setTriggerValue;
  // Streamlit can call an element of an earlier run once more after a newer one: what is older is not written again.
  if (data.session !== state.session || data.run >= state.run) {
    Object.assign(state, { session: data.session, run: data.run, full: data.full });
    replace(data.address);
    showTab();
  }
  if (!data.button || parentElement.querySelector(".par-link")) return;
  const box = document.createElement("div");
  box.className = "par-link";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy link";
  button.setAttribute("aria-live", "polite");
  const field = document.createElement("input");
  field.readOnly = true;
  field.hidden = true;
  field.setAttribute("aria-label", "Link to this view");
  button.addEventListener("click", () => copy(button, field));
  box.append(button, field);
  parentElement.append(box); // goes with its parent: nothing outside it listens, so there is nothing to clean up
}
