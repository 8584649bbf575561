import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import type { Painted } from "./Sheet";
import { Sheets, type SheetsProps, turnOf } from "./Sheets";

/** Height by width, until the picture says its own. */
const LETTER = 4 / 3;
/** What every browser draws by itself; the server draws the pages of others. */
const DRAWN_HERE = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp"]);

/** A picture as a document: set upright where it lies on its side, the pages of a TIFF one below the other. */
export function PictureView(view: SheetsProps) {
  const { document, content, onTrouble } = view;
  const [ratio, setRatio] = useState<number | null>(null);
  const pictures = useRef(new Map<number, Promise<HTMLImageElement>>());
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;

  const load = useCallback(
    (number: number): Promise<HTMLImageElement> => {
      const here = DRAWN_HERE.has(document.file_type.toLowerCase()) && number === 1;
      const drawn = () => loaded(api.pictureUrl(document.id, number));
      const known = pictures.current.get(number) ?? (here ? loaded(api.fileUrl(document.id)).catch(drawn) : drawn());
      pictures.current.set(number, known);
      return known;
    },
    [document.id, document.file_type],
  );

  useEffect(() => {
    let alive = true;
    pictures.current = new Map();
    load(1)
      .then((picture) => alive && setRatio(shapeOf(picture, turnOf(content, 1))))
      .catch((error: unknown) => alive && trouble.current(error instanceof Error ? error.message : String(error)));
    return () => {
      alive = false;
    };
  }, [load, content]);

  const paint = useCallback(
    async (number: number, canvas: HTMLCanvasElement, _words: HTMLElement, width: number): Promise<Painted> => {
      const picture = await load(number);
      const turned = turnOf(content, number);
      draw(picture, turned, canvas, width);
      return { ratio: shapeOf(picture, turned), find: () => [] };
    },
    [load, content],
  );
  if (ratio === null)
    return (
      <div
        className="sheet-paper mx-auto w-full animate-breathe"
        style={{ aspectRatio: `1 / ${LETTER}` }}
        role="status"
        aria-label="Loading the picture"
      />
    );
  return <Sheets {...view} count={Math.max(1, document.pages)} ratio={ratio} paint={paint} />;
}

async function loaded(address: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
  } catch {
    throw new Error("The picture cannot be shown: its file is gone, or your browser cannot draw it.");
  }
  return picture;
}

/** Height by width once it stands upright. */
const shapeOf = (picture: HTMLImageElement, turned: number): number =>
  turned % 180 === 0 ? picture.naturalHeight / picture.naturalWidth : picture.naturalWidth / picture.naturalHeight;

function draw(picture: HTMLImageElement, turned: number, canvas: HTMLCanvasElement, width: number): void {
  const density = Math.min(2.5, Math.max(1.5, window.devicePixelRatio || 1));
  const natural = turned % 180 === 0 ? picture.naturalWidth : picture.naturalHeight;
  canvas.width = Math.max(1, Math.round(Math.min(width * density, Math.max(natural, width))));
  canvas.height = Math.max(1, Math.round(canvas.width * shapeOf(picture, turned)));
  const brush = canvas.getContext("2d");
  if (!brush) return;
  const scale = canvas.width / natural;
  brush.imageSmoothingQuality = "high";
  brush.translate(canvas.width / 2, canvas.height / 2);
  brush.rotate((turned * Math.PI) / 180);
  brush.scale(scale, scale);
  brush.drawImage(picture, -picture.naturalWidth / 2, -picture.naturalHeight / 2);
}
