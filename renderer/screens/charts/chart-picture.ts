const SCALE = 2;
const MARGIN = 16;
const LINE = 22;
const FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const INK = '#212529';

/** What decides how a shape looks; the page's style sheet does not reach into a picture. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'stroke-opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'opacity',
];

/**
 * A figure of the page as PNG, at twice its size on screen and on white, whatever the screen's colours are: its heading,
 * the notes (`.chart-note`), every drawing and the legend (`.chart-legend`).
 */
export async function chartPicture(figure: HTMLElement): Promise<Blob> {
  const drawings = await Promise.all([...figure.querySelectorAll('.chart-drawing svg')].map(pictureOf));
  const signs = await Promise.all(
    [...figure.querySelectorAll('.chart-legend li')].map(async item => {
      const svg = item.querySelector('svg');
      return { text: item.textContent ?? '', ...(svg && { sign: await pictureOf(svg) }) };
    }),
  );
  const title = figure.querySelector('h2')?.textContent ?? '';
  const notes = [...figure.querySelectorAll('.chart-note')].map(({ textContent }) => textContent ?? '');
  const inner = Math.max(480, ...drawings.map(({ width }) => width));

  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser cannot draw a picture.');
  const words = [
    ...wrapped(pen, title, inner, `bold 18px ${FONT}`),
    ...notes.flatMap(note => wrapped(pen, note, inner, `14px ${FONT}`)),
  ];
  const legend = inRows(pen, signs, inner);
  const rows = legend.at(-1)?.row;
  const drawn = drawings.reduce((sum, { height }) => sum + height, 0);
  canvas.width = (inner + 2 * MARGIN) * SCALE;
  canvas.height =
    (2 * MARGIN + words.length * LINE + drawn + (rows === undefined ? 0 : (rows + 1) * LINE)) * SCALE;
  pen.scale(SCALE, SCALE);
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = INK;
  pen.textBaseline = 'middle';

  let y = MARGIN;
  for (const { text, font } of words) {
    pen.font = font;
    pen.fillText(text, MARGIN, y + LINE / 2);
    y += LINE;
  }
  for (const { image, width, height } of drawings) {
    pen.drawImage(image, MARGIN, y, width, height);
    y += height;
  }
  pen.font = `14px ${FONT}`;
  for (const { text, sign, x, row } of legend) {
    const middle = y + (row + 0.5) * LINE;
    if (sign) pen.drawImage(sign.image, MARGIN + x, middle - sign.height / 2, sign.width, sign.height);
    pen.fillText(text, MARGIN + x + (sign ? sign.width + 8 : 0), middle);
  }
  return blobOf(canvas);
}

interface Picture {
  image: HTMLImageElement;
  width: number;
  height: number;
}

async function pictureOf(svg: Element): Promise<Picture> {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as Element;
  const paper = document.createElement('div');
  // The rules of the style sheet hold below `.chart`; the colours are those of paper.
  paper.className = 'chart chart-paper';
  paper.append(copy);
  document.body.append(paper);
  try {
    keepLooks([copy, ...copy.querySelectorAll('*')]);
  } finally {
    paper.remove();
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }),
  );
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    return { image, width, height };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** As attributes: a `style` would be refused by the page's policy. All are read before a class is lost that others go by. */
function keepLooks(elements: readonly Element[]): void {
  const looks = elements.map(element => {
    const style = getComputedStyle(element);
    return LOOKS.map(name => [name, style.getPropertyValue(name)] as const);
  });
  for (const [at, element] of elements.entries()) {
    element.removeAttribute('style');
    element.removeAttribute('class');
    for (const [name, value] of looks[at] ?? []) element.setAttribute(name, value);
  }
}

interface Line {
  text: string;
  font: string;
}

function wrapped(pen: CanvasRenderingContext2D, text: string, width: number, font: string): Line[] {
  pen.font = font;
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(line => ({ text: line, font }));
}

/** Places the entries of a legend one after the other, in as many rows as they need. */
function inRows<Sign extends { text: string; sign?: Picture }>(
  pen: CanvasRenderingContext2D,
  signs: readonly Sign[],
  width: number,
): (Sign & { x: number; row: number })[] {
  pen.font = `14px ${FONT}`;
  let [x, row] = [0, 0];
  return signs.map(sign => {
    const taken = pen.measureText(sign.text).width + (sign.sign ? sign.sign.width + 8 : 0);
    if (x > 0 && x + taken > width) [x, row] = [0, row + 1];
    const placed = { ...sign, x, row };
    x += taken + 24;
    return placed;
  });
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The picture could not be written.')))),
  );
}
