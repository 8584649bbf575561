import { useCallback, useEffect, useRef, useState } from "react";
import { api } from "../api/client";
import { mark, t } from "../text/language";
import formats from "./formats.json";
import { LockedFile } from "./LockedFile";
import { isLocked, openLockedFile, passwords } from "./lockedFiles";
import type { PaintedPage } from "./PageCanvas";
import { PageStack, type PageStackProps, pageRotation } from "./PageStack";

/** Height by width, until the picture says its own. */
const LETTER = 4 / 3;
/** What every browser draws by itself; the server draws the pages of others. */
const DRAWN_HERE = new Set(formats.drawnByBrowsers);
/** Pictures that are held; each may take 24 MB. */
const HELD = 6;
const LOCKED = mark("This picture is in a locked archive whose password is not stored, so the quotation is marked in the text.");

/** A picture as a document: set upright where it lies on its side, the pages of a TIFF one below the other. */
export function PictureView(view: PageStackProps) {
  const { document, content, onTrouble } = view;
  const [ratio, setRatio] = useState<number | null>(null);
  const [asked, setAsked] = useState<"" | "first" | "wrong">("");
  const [file, setFile] = useState<string | null>(null);
  const pictures = useRef(new Map<number, Promise<HTMLImageElement>>());
  const trouble = useRef(onTrouble);
  trouble.current = onTrouble;

  const drawnHere = DRAWN_HERE.has(document.file_type.toLowerCase());
  const inside = document.file_path.includes("!/");

  const load = useCallback(
    (number: number): Promise<HTMLImageElement> => {
      const here = drawnHere && number === 1;
      const drawn = () => loadPicture(api.pictureUrl(document.id, number));
      const known = pictures.current.get(number) ?? (here ? loadPicture(file ?? api.fileUrl(document.id)).catch(drawn) : drawn());
      pictures.current.delete(number);
      pictures.current.set(number, known);
      for (const oldest of [...pictures.current.keys()].slice(0, -HELD)) pictures.current.delete(oldest);
      return known;
    },
    [document.id, drawnHere, file],
  );

  const open = useCallback(
    async (password: string) => {
      try {
        const picture = await (await openLockedFile(document.id, password))?.blob();
        if (!picture) return setAsked("wrong");
        passwords.set(document.id, password);
        setAsked("");
        setFile(URL.createObjectURL(picture));
      } catch (error) {
        trouble.current(t("The picture cannot be shown ({reason}).", { reason: error instanceof Error ? error.message : String(error) }));
      }
    },
    [document.id],
  );
  useEffect(() => () => (file ? URL.revokeObjectURL(file) : undefined), [file]);

  useEffect(() => {
    let alive = true;
    pictures.current = new Map();
    load(1)
      .then((picture) => alive && setRatio(measurePicture(picture, pageRotation(content, 1))))
      .catch(async (error: unknown) => {
        const locked = inside && file === null && (await isLocked(document.id));
        if (!alive) return;
        const known = passwords.get(document.id);
        if (!locked) return trouble.current(error instanceof Error ? error.message : String(error));
        if (known !== undefined && drawnHere) return open(known);
        trouble.current(t(LOCKED));
        if (drawnHere) setAsked("first");
      });
    return () => {
      alive = false;
    };
  }, [load, content, document.id, inside, drawnHere, file, open]);

  const paint = useCallback(
    async (number: number, canvas: HTMLCanvasElement, _words: HTMLElement, width: number): Promise<PaintedPage> => {
      const picture = await load(number);
      const turned = pageRotation(content, number);
      draw(picture, turned, canvas, width);
      return { ratio: measurePicture(picture, turned), find: () => [] };
    },
    [load, content],
  );
  if (asked) return <LockedFile filename={document.filename} wrong={asked === "wrong"} onPassword={(password) => void open(password)} />;
  if (ratio === null)
    return (
      <div
        className="sheet-paper mx-auto grid w-full place-items-center text-[13px] text-ink-2"
        style={{ aspectRatio: `1 / ${LETTER}` }}
        role="status"
      >
        {t("Loading the picture …")}
      </div>
    );
  return <PageStack {...view} count={Math.max(1, document.pages)} ratio={ratio} paint={paint} />;
}

/** A picture that has come; drawing decodes it. */
function loadPicture(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const picture = new Image();
    picture.onload = () => resolve(picture);
    picture.onerror = () => reject(new Error(t("The picture cannot be shown: its file is gone, or your browser cannot draw it.")));
    picture.src = address;
  });
}

/** Height by width once it stands upright. */
const measurePicture = (picture: HTMLImageElement, turned: number): number =>
  turned % 180 === 0 ? picture.naturalHeight / picture.naturalWidth : picture.naturalWidth / picture.naturalHeight;

function draw(picture: HTMLImageElement, turned: number, canvas: HTMLCanvasElement, width: number): void {
  const density = Math.min(2.5, Math.max(1.5, window.devicePixelRatio || 1));
  const natural = turned % 180 === 0 ? picture.naturalWidth : picture.naturalHeight;
  canvas.width = Math.max(1, Math.round(Math.min(width * density, Math.max(natural, width))));
  canvas.height = Math.max(1, Math.round(canvas.width * measurePicture(picture, turned)));
  const brush = canvas.getContext("2d");
  if (!brush) return;
  const scale = canvas.width / natural;
  brush.imageSmoothingQuality = "high";
  brush.translate(canvas.width / 2, canvas.height / 2);
  brush.rotate((turned * Math.PI) / 180);
  brush.scale(scale, scale);
  brush.drawImage(picture, -picture.naturalWidth / 2, -picture.naturalHeight / 2);
}
