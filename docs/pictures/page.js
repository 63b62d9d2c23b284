// Draws the page that a browser shows as an SVG: boxes with their colors and lines, then each line of text at its place.
//
// A test evaluates this in the page of the sandbox, and keeps docs/pictures/sandbox.svg true:
// TULK_BLESS=1 cargo test --test cli sandbox_page::picture
(() => {
  const shapes = [];
  let bottomText = 0;
  const number = (value) => Math.round(value * 10) / 10;
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const isSeen = (color) => !/^rgba\(.*, 0\)$|^transparent$/.test(color);

  const box = (element, style, rect) => {
    const fill = isSeen(style.backgroundColor) ? style.backgroundColor : "none";
    const sides = ["Top", "Right", "Bottom", "Left"].filter((side) => parseFloat(style[`border${side}Width`]) > 0);
    const [x, y, right, bottom] = [rect.left, rect.top, rect.right, rect.bottom].map(number);
    const stroke = sides.length === 4 ? ` stroke="${style.borderTopColor}"` : "";
    if (fill !== "none" || stroke) {
      const radius = parseFloat(style.borderTopLeftRadius) || 0;
      const inset = stroke ? 0.5 : 0;
      const [width, height] = [number(right - x - 2 * inset), number(bottom - y - 2 * inset)];
      shapes.push(`<rect x="${x + inset}" y="${y + inset}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"${stroke}/>`);
    }
    if (!stroke) for (const side of sides) {
      const [right1, bottom1] = [number(right - 0.5), number(bottom - 0.5)];
      const path = { Top: `M${x} ${y}H${right}`, Bottom: `M${x} ${bottom1}H${right}`, Left: `M${x} ${y}V${bottom}`, Right: `M${right1} ${y}V${bottom}` };
      shapes.push(`<path d="${path[side]}" stroke="${style[`border${side}Color`]}"/>`);
    }
  };
  const write = (text, x, y, width, style) => {
    const family = style.fontFamily.includes("mono") ? "m" : "s";
    const key = `font-size="${style.fontSize}" font-weight="${style.fontWeight}" fill="${style.color}" class="${family}"`;
    const line = `<text x="${number(x)}" y="${number(y)}" textLength="${number(width)}">${escaped(text)}</text>`;
    bottomText = Math.max(bottomText, y);
    shapes.push({ key, line });
  };
  const context = document.createElement("canvas").getContext("2d");
  // Characters of a text node, joined to lines.
  const lines = (node, style) => {
    let line = null;
    const end = () => {
      if (line && line.text.trim()) {
        const ascent = parseFloat(style.fontSize) * 0.78, height = line.bottom - line.top;
        write(line.text.trimEnd(), line.left, line.top + (height - parseFloat(style.fontSize)) / 2 + ascent + 1, line.right - line.left, style);
      }
      line = null;
    };
    const range = document.createRange();
    for (let i = 0; i < node.length; i += 1) {
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const rect = range.getBoundingClientRect();
      const letter = node.data[i];
      if (!rect.width || (line && Math.abs(rect.top - line.top) > 2)) end();
      if (!rect.width || (!line && letter === " ")) continue;
      line ??= { text: "", left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
      line.text += letter;
      if (letter !== " ") line.right = rect.right;
    }
    end();
  };
  const walk = (element) => {
    const style = getComputedStyle(element), rect = element.getBoundingClientRect();
    if (style.display === "none" || style.visibility === "hidden" || !rect.width) return;
    box(element, style, rect);
    if (element.id === "state") {
      const color = getComputedStyle(element, "::before").backgroundColor;
      shapes.push(`<circle cx="${number(rect.left + 4)}" cy="${number((rect.top + rect.bottom) / 2)}" r="4" fill="${color}"/>`);
    }
    if (element.tagName === "SELECT") {
      context.font = `${style.fontSize} ${style.fontFamily}`;
      const text = element.selectedOptions[0].text;
      write(text, rect.left + 12, (rect.top + rect.bottom) / 2 + 4.5, context.measureText(text).width, style);
      return;
    }
    const closed = element.tagName === "DETAILS" && !element.open;
    for (const child of closed ? [element.querySelector("summary")] : element.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) lines(child, style);
      else if (child.nodeType === Node.ELEMENT_NODE) walk(child);
    }
  };
  walk(document.body);

  let open = "", drawn = "";
  for (const shape of shapes) {
    const key = typeof shape === "string" ? "" : shape.key;
    if (key !== open) drawn += (open ? "</g>\n" : "") + (key ? `<g ${key}>` : "");
    drawn += typeof shape === "string" ? `${shape}\n` : shape.line;
    open = key;
  }
  if (open) drawn += "</g>\n";
  const [width, height] = [innerWidth, Math.ceil(bottomText) + 40];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>The page of the sandbox</title>
<style>text{white-space:pre}.s{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}.m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace}</style>
${drawn}<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" fill="none" stroke="#c4c9d1"/>
</svg>
`;
})()
