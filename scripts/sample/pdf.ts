/** A colour: red, green and blue from 0 to 1. */
export type Colour = readonly [number, number, number];

/** What is drawn on a page. Positions are in points from the bottom left corner of an A4 page (595 × 842). */
export type Shape =
  | {
      readonly text: string;
      readonly x: number;
      readonly y: number;
      readonly size?: number;
      readonly bold?: boolean;
      readonly colour?: Colour;
    }
  | { readonly width: number; readonly height: number; readonly x: number; readonly y: number; readonly colour: Colour };

export type PdfInfo = { readonly title: string; readonly author: string; /** Year, month, day. */ readonly date: string };

const BLACK: Colour = [0.13, 0.15, 0.16];
/** Every PDF reader has these two fonts, so none is embedded. */
const FONTS = ["Helvetica", "Helvetica-Bold"] as const;
/** The objects before those of the pages: catalogue, list of pages, information, fonts. */
const FIXED_OBJECTS = 3 + FONTS.length;

/** Writes a PDF of text and rectangles. The same input gives the same bytes. Characters must exist in Windows-1252 below 0x80, or in Latin-1. */
export function writePdf(pages: readonly (readonly Shape[])[], info: PdfInfo): Buffer {
  const pageNumber = (index: number): number => FIXED_OBJECTS + 1 + index * 2;
  const kids = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(" ");
  const fonts = FONTS.map((_, index) => `/F${index} ${4 + index} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    `<< /Title (${escape(info.title)}) /Author (${escape(info.author)}) /CreationDate (D:${info.date}090000Z) >>`,
    ...FONTS.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`),
    ...pages.flatMap((shapes, index) => {
      const drawn = shapes.map(draw).join("\n");
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << ${fonts} >> >> /Contents ${pageNumber(index) + 1} 0 R >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
  ];
  return Buffer.from(join(objects), "latin1");
}

/** The file: header, objects, table of their positions, trailer. */
function join(objects: readonly string[]): string {
  let body = "%PDF-1.4\n";
  const positions = objects.map((object, index) => {
    const position = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return position;
  });
  const table = positions.map((position) => `${String(position).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`;
}

function draw(shape: Shape): string {
  if (!("text" in shape)) return `${shape.colour.join(" ")} rg ${shape.x} ${shape.y} ${shape.width} ${shape.height} re f`;
  const { text, x, y, size = 11, bold = false, colour = BLACK } = shape;
  return `BT ${colour.join(" ")} rg /F${bold ? 1 : 0} ${size} Tf ${x} ${y} Td (${escape(text)}) Tj ET`;
}

const escape = (text: string): string => text.replace(/[\\()]/g, "\\$&");
