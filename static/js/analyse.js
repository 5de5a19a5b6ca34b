// The text that is analysed stays in this tab: the service keeps none. With it here, evidence can be shown in it.
const KEY = "analysed-text";
const form = document.querySelector("form[data-analyse]");

if (form) {
  const area = form.querySelector("textarea");
  const file = form.querySelector("input[type=file]");
  const count = form.querySelector("[data-count]");
  const prices = form.querySelectorAll("[data-prices]");
  const show = () => {
    const length = [...area.value].length;
    count.hidden = length === 0;
    count.textContent = `· ${length.toLocaleString(document.documentElement.lang)}`;
    // What the analysis of this text would cost; a longer one is refused.
    const units = Math.max(1, Math.ceil(length / form.dataset.unit));
    for (const price of prices) {
      const words = JSON.parse(price.dataset.prices);
      price.textContent = words[Math.min(units, words.length) - 1];
    }
  };
  const take = async (chosen) => {
    // What is no plain text goes to the server as a file, whose answer says what to do.
    if (!chosen || !/^text\/plain/.test(chosen.type)) return;
    area.value = await chosen.text();
    file.value = "";
    show();
  };
  area.addEventListener("input", show);
  file.addEventListener("change", () => take(file.files[0]));
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
  form.addEventListener("submit", () => {
    try { sessionStorage.setItem(KEY, area.value); } catch { /* without it, evidence is shown as words alone */ }
  });
  show();
}

const panel = document.querySelector("[data-document]");
const kept = panel && sessionStorage.getItem(KEY);
if (kept) {
  const place = panel.querySelector("[data-document-text]");
  panel.hidden = false;
  place.textContent = kept;
  const plain = (words) => words.replace(/\s+/g, " ");
  const mark = (quote) => {
    // White space may differ between the quotation and the text, nothing else.
    const pattern = plain(quote.trim()).replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/ /g, "\\s+");
    const found = new RegExp(pattern, "i").exec(kept);
    place.textContent = kept;
    if (!found) return;
    const range = document.createRange();
    const words = place.firstChild;
    range.setStart(words, found.index);
    range.setEnd(words, found.index + found[0].length);
    const shown = document.createElement("mark");
    range.surroundContents(shown);
    shown.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  };
  for (const quote of document.querySelectorAll("[data-quote]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn--sm";
    button.textContent = panel.dataset.words;
    button.addEventListener("click", () => mark(quote.textContent));
    quote.after(button);
  }
}
