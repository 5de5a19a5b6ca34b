// Copy buttons, and the words that only hold where scripts run. Everything else works without this file.
for (const element of document.querySelectorAll("[data-script]")) element.hidden = false;

for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  const words = button.querySelector("[data-words]");
  const before = words.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      // Missing on plain http, except on this machine.
      await navigator.clipboard.writeText(source.textContent);
      words.textContent = button.dataset.done;
    } catch {
      const selection = getSelection();
      selection.selectAllChildren(source);
      if (document.execCommand("copy")) words.textContent = button.dataset.done;
    }
    setTimeout(() => { words.textContent = before; }, 2500);
  });
}

// What has the focus may go with an update of its page: then the section around it takes the focus.
addEventListener("htmx:oobBeforeSwap", ({ detail: { target } }) => {
  if (target.contains(document.activeElement)) target.closest("[tabindex]")?.focus();
});

// An address may name what is folded: browsers scroll to it, and only some unfold what they scroll to.
const unfold = () => {
  const aimed = document.querySelector(":target");
  if (aimed instanceof HTMLDetailsElement) aimed.open = true;
  const folded = aimed?.parentElement?.closest("details");
  if (folded) folded.open = true;
};
addEventListener("hashchange", unfold);
unfold();

// On paper nothing can be unfolded: the inventory of a result is printed open.
const inventory = document.querySelector("details.inventory:not([open])");
if (inventory) {
  addEventListener("beforeprint", () => { inventory.open = true; });
  addEventListener("afterprint", () => { inventory.open = false; });
}

// A colour picker writes into the field that is saved, and follows what is typed there.
for (const picker of document.querySelectorAll("input[data-fills]")) {
  const field = document.getElementById(picker.dataset.fills);
  picker.addEventListener("input", () => {
    field.value = picker.value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  field.addEventListener("input", () => {
    if (/^#[0-9a-f]{6}$/i.test(field.value)) picker.value = field.value;
  });
}

// Drafts of texts (draft.js) end when their analysis has begun, an hour after the last change, and with the session
// of who signs out. The page after a submission shows whether the analysis has begun; an older result says nothing.
const DRAFT_LASTS = 3_600_000;
const madeAt = (key) => { try { return JSON.parse(sessionStorage.getItem(key)).at; } catch { return 0; } };
const forget = (ends) => {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith("draft:") && ends(key)) sessionStorage.removeItem(key);
  }
};
const forgetOld = () => forget((key) => !(madeAt(key) > Date.now() - DRAFT_LASTS));
try {
  const sent = sessionStorage.getItem("draft-sent");
  sessionStorage.removeItem("draft-sent");
  if (sent && /\/(analyse|compare)\/[0-9a-f-]{36}$/.test(location.pathname)) {
    forget((key) => key.includes(`:${sent}:`));
  }
  forgetOld();
  setInterval(forgetOld, 60_000);
} catch { /* a browser that lets pages store nothing keeps no drafts */ }
document.querySelector("form[data-leaves]")?.addEventListener("submit", () => sessionStorage.clear());

// ? outside of a field opens the list of what the keyboard does.
const keyboard = document.querySelector("a[data-keys]");
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (!keyboard || typing || event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keyboard.click();
});

// Ctrl K, or / outside of a field, opens the search of the portal (portal/home/find.py tells of it).
const finder = document.querySelector("a[data-find]");
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
  const combined = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey;
  if (!finder || !(slash || combined)) return;
  event.preventDefault();
  finder.click();
});
