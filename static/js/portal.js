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
};
addEventListener("hashchange", unfold);
unfold();

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
