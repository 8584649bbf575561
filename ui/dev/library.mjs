// A small invented library for developing the page without the server. Offsets are code points, as the server counts them.
const points = (text) => Array.from(text).length;

function build(parts) {
  let text = "";
  const blocks = [];
  const tables = [];
  const pages = [];
  for (const part of parts) {
    if (text) text += "\n\n";
    const start = points(text);
    if (part.kind === "table") {
      const spans = [];
      for (const [index, row] of part.rows.entries()) {
        if (index) text += "\n";
        const from = points(text);
        text += row.join(" | ");
        spans.push([from, points(text)]);
      }
      tables.push({
        start,
        end: points(text),
        page: part.page ?? null,
        caption: part.caption ?? "",
        header_rows: 1,
        rows: part.rows,
        row_spans: spans,
        spans: [],
        last_page: null,
        row_numbers: part.rowNumbers ?? [],
        column_numbers: part.columnNumbers ?? [],
      });
    } else text += part.text;
    const end = points(text);
    blocks.push({
      kind: part.kind,
      start,
      end,
      page: part.page ?? null,
      level: part.level ?? 0,
      table: part.kind === "table" ? tables.length - 1 : null,
    });
    if (part.page) {
      const page = pages.find((item) => item.number === part.page);
      if (page) page.end = end;
      else pages.push({ number: part.page, label: part.label ?? String(part.page), start, end });
    }
  }
  const sections = [];
  const path = [];
  for (const block of blocks.filter((item) => item.kind === "heading")) {
    path.length = Math.max(0, block.level - 1);
    path[block.level - 1] = Array.from(text).slice(block.start, block.end).join("");
    if (sections.length) sections.at(-1).end = block.start;
    sections.push({ path: path.filter(Boolean), start: block.start, end: points(text), level: block.level, page: block.page });
  }
  return { text, blocks, tables, pages, sections, total: points(text) };
}

const h = (text, level, page) => ({ kind: "heading", text, level, page });
const p = (text, page) => ({ kind: "paragraph", text, page });
const li = (text, page) => ({ kind: "list_item", text, level: 1, page });
const t = (rows, page, caption, label) => ({ kind: "table", rows, page, caption, label });

const lease = build([
  h("Lease of the workshop at 14 Juniper Street", 1, 1),
  p("Between Alder & Finch Properties (the Landlord) and Brightwater Instruments (the Tenant). Signed on 3 February 2022.", 1),
  h("1 Premises", 2, 1),
  p("The Landlord lets the ground floor and the mezzanine of the workshop at 14 Juniper Street, together with four parking spaces in the yard.", 1),
  h("2 Rent", 2, 1),
  p(
    "The rent is payable monthly in advance, no later than the third working day. It is reviewed every two years against the consumer price index.",
    1,
  ),
  t(
    [
      ["Part", "Area m²", "Monthly rent"],
      ["Ground floor", "640", "€ 4,160"],
      ["Mezzanine", "210", "€ 1,155"],
      ["Parking", "4 spaces", "€ 240"],
    ],
    1,
    "Rent by part",
  ),
  h("3 Term and notice", 2, 2),
  p("The lease begins on 1 March 2022 and runs for three years. It then continues without a fixed term.", 2),
  p(
    "After the fixed term either party may end the lease with six months’ written notice to the end of a quarter. Notice given by telephone or by e-mail has no effect.",
    2,
  ),
  h("4 Alterations", 2, 2),
  p(
    "The Tenant may fit machines and partitions that can be removed without damage. Anything else needs the Landlord’s consent in writing, which may not be withheld without reason.",
    2,
  ),
  p("On leaving, the Tenant returns the premises swept 🧹 and in the condition recorded in the protocol.", 2),
]);
const amendment = build([
  h("First amendment to the lease of 14 Juniper Street", 1),
  p("Dated 18 November 2024."),
  h("Notice", 2),
  p("For the mezzanine the notice period of section 3 is shortened to three months where the Tenant gives notice."),
  h("Energy", 2),
  p("From 1 January 2025 the Tenant pays for electricity by its own meter."),
  li("The meter is read on the last working day of each month."),
  li("The Landlord keeps the contract with the grid."),
]);
const costs = build([
  t(
    [
      ["Month", "Rent", "Electricity", "Repairs", "Total"],
      ["January", "5,555", "812", "140", "6,507"],
      ["February", "5,555", "774", "0", "6,329"],
      ["March", "5,555", "735", "1,290", "7,580"],
      ["April", "5,555", "690", "60", "6,305"],
    ],
    1,
    "Costs of the workshop 2025, €",
    "2025",
  ),
  t(
    [
      ["Month", "Total"],
      ["January", "6,120"],
      ["February", "6,090"],
    ],
    2,
    "Costs 2024, €",
    "2024",
  ),
]);
const slides = build([
  h("Moving the workshop", 1, 1),
  p("Steering group, 6 May 2025", 1),
  h("What we know", 1, 2),
  li("The new hall has 900 m² on one floor", 2),
  li("The lease in Juniper Street needs six months’ notice", 2),
  li("The crane arrives in September", 2),
  h("Open questions", 1, 3),
  li("Who tells the insurer?", 3),
  li("Can the mezzanine be given up earlier?", 3),
]);
const mail = build([
  p(
    "From: Imke Solberg <imke@brightwater.example>\nTo: Tomas Reyes <tomas@brightwater.example>\nDate: Tue, 13 May 2025 09:12:00 +0000\nSubject: Notice for the mezzanine",
  ),
  p("Tomas,"),
  p(
    "the amendment of last November shortens the notice for the mezzanine to three months, so a letter by the end of June is early enough. It has to be on paper; an e-mail does not count.",
  ),
  p("Imke"),
]);
const code = build([
  {
    kind: "code",
    text: '"""Rent of a month."""\n\nINDEX = {2024: 118.2, 2025: 121.0}\n\n\ndef rent(base: float, year: int) -> float:\n    """The rent after the review of section 2."""\n    return round(base * INDEX[year] / INDEX[2024], 2)\n',
  },
]);

const now = Date.now();
const iso = (days) => new Date(now - days * 86_400_000).toISOString();
const make = (id, filename, type, unit, content, more = {}) => ({
  content,
  document: {
    id,
    filename,
    file_path: `/home/ada/Workshop/${filename}`,
    paths: [`/home/ada/Workshop/${filename}`],
    file_type: type,
    doc_type: more.doc_type ?? "document",
    title: more.title ?? filename,
    summary: more.summary ?? "",
    detailed_summary: more.summary ?? "",
    keywords: more.keywords ?? ["lease", "notice", "workshop"],
    entities: [],
    topics: [],
    language: "en",
    created_at: iso(300),
    modified_at: more.modified_at ?? iso(40),
    indexed_at: iso(0.1),
    file_size: 48_200,
    pages: content.pages.length,
    page_unit: unit,
    chunks: 12,
    characters: content.total,
    state: more.state ?? "indexed",
    reason: more.reason ?? "",
    parser: more.parser ?? "pypdf",
    content_hash: "0",
    generation: 1,
    collection: "default",
  },
});

export const library = [
  make("d1", "Juniper Street lease.pdf", ".pdf", "page", lease, {
    doc_type: "contract",
    title: "Lease of the workshop at 14 Juniper Street",
    summary:
      "A lease of a workshop between Alder & Finch Properties and Brightwater Instruments, begun on 1 March 2022 for three years, with six months’ notice afterwards.",
  }),
  make("d2", "Amendment 2024.docx", ".docx", "", amendment, {
    parser: "python-docx",
    summary: "Shortens the notice for the mezzanine and moves electricity to the Tenant’s own meter.",
  }),
  make("d3", "Workshop costs.xlsx", ".xlsx", "sheet", costs, { parser: "openpyxl", doc_type: "spreadsheet" }),
  make("d4", "Moving the workshop.pptx", ".pptx", "slide", slides, { parser: "python-pptx", doc_type: "presentation" }),
  make("d5", "Notice for the mezzanine.eml", ".eml", "", mail, { parser: "email", doc_type: "email" }),
  make("d6", "rent.py", ".py", "", code, { parser: "text", doc_type: "code" }),
];

/** A citation of the words `quote` in document `id`, inside the block that holds them. */
export function cite(number, id, quote, section = []) {
  const { document, content } = library.find((item) => item.document.id === id);
  const at = content.text.indexOf(quote);
  if (at < 0) throw new Error(`not in ${id}: ${quote}`);
  const start = points(content.text.slice(0, at));
  const block = content.blocks.find((item) => item.start <= start && item.end > start);
  return {
    number,
    document_id: id,
    generation: 1,
    filename: document.filename,
    page: block.page,
    start,
    end: start + points(quote),
    quote,
    section,
    passage_start: block.start,
    passage_end: block.end,
  };
}

/** A plain PDF of the lease, so that the page view has something to draw. */
export function leasePdf() {
  const lines = { 1: [], 2: [] };
  const blocks = library[0].content.blocks;
  const text = Array.from(library[0].content.text);
  for (const block of blocks) {
    const table = library[0].content.tables.find((item) => item.start === block.start);
    const size = block.kind === "heading" ? (block.level === 1 ? 16 : 12.5) : 10.5;
    const rows = table
      ? table.rows.map((row) => row.join("     "))
      : wrap(text.slice(block.start, block.end).join(""), block.kind === "heading" ? 60 : 88);
    lines[block.page].push({ gap: block.kind === "heading" ? 22 : 8, size, rows, bold: block.kind === "heading" });
  }
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>"];
  for (const page of [1, 2]) {
    let y = 780;
    let stream = "BT\n";
    for (const block of lines[page]) {
      y -= block.gap;
      for (const row of block.rows) {
        stream += `/${block.bold ? "F2" : "F1"} ${block.size} Tf 1 0 0 1 64 ${y.toFixed(1)} Tm (${latin(row)}) Tj\n`;
        y -= block.size * 1.45;
      }
    }
    stream += "ET";
    const at = 3 + (page - 1) * 2;
    objects[at - 1] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${at + 1} 0 R /Resources << /Font << /F1 7 0 R /F2 8 0 R >> >> >>`;
    objects[at] = `<< /Length ${Buffer.byteLength(stream, "latin1")} >>\nstream\n${stream}\nendstream`;
  }
  objects[6] = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>";
  objects[7] = "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >>";
  let pdf = "%PDF-1.4\n";
  const offsets = [];
  objects.forEach((object, index) => {
    offsets.push(Buffer.byteLength(pdf, "latin1"));
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const xref = Buffer.byteLength(pdf, "latin1");
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF`;
  return Buffer.from(pdf, "latin1");
}

const winAnsi = { "’": "\x92", "€": "\x80", "–": "\x96", "—": "\x97", "“": "\x93", "”": "\x94" };
const latin = (row) =>
  Array.from(row)
    .map((character) => winAnsi[character] ?? (character.codePointAt(0) < 256 ? character : ""))
    .join("")
    .replace(/[\\()]/g, "\\$&");

function wrap(text, width) {
  const rows = [""];
  for (const word of text.split(/\s+/)) {
    if (rows.at(-1).length + word.length > width) rows.push("");
    rows[rows.length - 1] += `${rows.at(-1) ? " " : ""}${word}`;
  }
  return rows;
}
