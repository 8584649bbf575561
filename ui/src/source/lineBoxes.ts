import type { LinePlace } from "../api/types";

/** A mark on a page, in percent of its width and height. It lies level there and is turned by `angle` degrees about `origin`. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
  kind: "quote" | "passage" | "hit" | "current";
  angle?: number;
  origin?: string;
}

/** The part of a line, 0 to 1 along it, on which [start, end) of the text stands; null where none of its words does. */
function partOf(line: LinePlace, start: number, end: number): [number, number] | null {
  if (line.start >= end || line.end <= start) return null;
  if (line.words.length === 0) return [0, 1];
  const words = line.words.filter((word) => word.start < end && word.end > start);
  if (words.length === 0) return null;
  return [Math.min(...words.map((word) => word.left)), Math.max(...words.map((word) => word.right))];
}

/** Where [start, end) of the text stands on a page whose text was recognised: a box for each line that it reaches into. */
export function findLineBoxes(lines: readonly LinePlace[], start: number, end: number, kind: Box["kind"]): Box[] {
  const boxes: Box[] = [];
  for (const line of lines) {
    const part = partOf(line, start, end);
    if (!part) continue;
    const [from, to] = part;
    const length = Math.max(0.001, to - from);
    boxes.push({
      left: (line.left + from * line.width) * 100,
      top: line.top * 100,
      width: length * line.width * 100,
      height: line.height * 100,
      kind,
      // A line turns about its own middle, and its part with it.
      ...(line.angle === 0 ? {} : { angle: line.angle, origin: `${((0.5 - from) / length) * 100}% 50%` }),
    });
  }
  return boxes;
}

/** The share of [start, end) that stands in one of the lines. */
export function measureCoverage(lines: readonly LinePlace[], start: number, end: number): number {
  const covered = lines.reduce((sum, line) => sum + Math.max(0, Math.min(end, line.end) - Math.max(start, line.start)), 0);
  return end > start ? covered / (end - start) : 0;
}
