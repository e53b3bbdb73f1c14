import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, PDFRef } from "@cantoo/pdf-lib";
import { StampError } from "#app/platform/pdf/stamp-error.ts";

/** A page with what it inherits. Lengths are in its own units; `unit` of them are a point. */
export type FoundPage = {
  node: PDFDict;
  resources: PDFDict | null;
  contents: PDFRef[];
  /** The visible part, before rotation. */
  box: Box;
  /** Clockwise rotation for reading. */
  rotation: 0 | 90 | 180 | 270;
  unit: number;
};
export type Box = { left: number; bottom: number; right: number; top: number };

type Inherited = { Resources?: PDFDict; MediaBox?: Box; CropBox?: Box; Rotate?: number };

/** Limit of tree nodes above pages; files with more were made to exhaust readers. */
const MAX_NODES = 10_000;
const LETTER_SIZE: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/** All pages of a document, each once. @throws StampError broken if there are none, pages if there are too many */
export function findPages(context: PDFContext, maxPages: number): FoundPage[] {
  const catalog = context.lookup(context.trailerInfo.Root, PDFDict);
  const found: FoundPage[] = [];
  const seen = new Set<PDFDict>();
  const pending: { node: unknown; fromParents: Inherited }[] = [
    { node: catalog.get(PDFName.of("Pages")), fromParents: {} },
  ];
  for (let step = pending.pop(); step; step = pending.pop()) {
    const node = step.node instanceof PDFRef ? context.lookup(step.node) : step.node;
    // Visits a node once: a hostile tree may contain cycles.
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    if (seen.size > MAX_NODES + maxPages) throw new StampError("pages");
    const inherited = { ...step.fromParents, ...ownAttributes(node) };
    const kids = node.lookup(PDFName.of("Kids"));
    if (!(kids instanceof PDFArray)) found.push(toPage(context, node, inherited));
    else if (kids.size() > MAX_NODES) throw new StampError("pages");
    else for (const kid of kids.asArray().toReversed()) pending.push({ node: kid, fromParents: inherited });
    if (found.length > maxPages) throw new StampError("pages");
  }
  if (found.length === 0) throw new StampError("broken");
  return found;
}

function ownAttributes(node: PDFDict): Inherited {
  const own: Inherited = {};
  const resources = node.lookup(PDFName.of("Resources"));
  if (resources instanceof PDFDict) own.Resources = resources;
  for (const name of ["MediaBox", "CropBox"] as const) {
    const box = boxOf(node.lookup(PDFName.of(name)));
    if (box) own[name] = box;
  }
  const rotate = node.lookup(PDFName.of("Rotate"));
  if (rotate instanceof PDFNumber) own.Rotate = rotate.asNumber();
  return own;
}

function toPage(context: PDFContext, node: PDFDict, fromParents: Inherited): FoundPage {
  const media = fromParents.MediaBox ?? LETTER_SIZE;
  const rotation = (((Math.round((fromParents.Rotate ?? 0) / 90) * 90) % 360) + 360) % 360;
  const unit = node.lookup(PDFName.of("UserUnit"));
  return {
    node,
    resources: fromParents.Resources ?? null,
    contents: contentsOf(context, node),
    box: intersect(media, fromParents.CropBox ?? media),
    rotation: rotation as FoundPage["rotation"],
    unit: unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1,
  };
}

/** Readers show the intersection of both boxes; where it is empty, the larger one. */
function intersect(media: Box, crop: Box): Box {
  const both = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  return both.right > both.left && both.top > both.bottom ? both : media;
}

/** Any two opposite corners; null if it is no box. */
function boxOf(value: unknown): Box | null {
  if (!(value instanceof PDFArray) || value.size() !== 4) return null;
  const sides = [0, 1, 2, 3].map((at) => value.lookup(at));
  if (!sides.every((side) => side instanceof PDFNumber)) return null;
  const [a, b, c, d] = sides.map((side) => (side as PDFNumber).asNumber()) as [
    number,
    number,
    number,
    number,
  ];
  const box = { left: Math.min(a, c), bottom: Math.min(b, d), right: Math.max(a, c), top: Math.max(b, d) };
  return Object.values(box).every(Number.isFinite) && box.right > box.left && box.top > box.bottom
    ? box
    : null;
}

/** A page's content streams; the array may be an indirect object. */
function contentsOf(context: PDFContext, node: PDFDict): PDFRef[] {
  const rawContents = node.get(PDFName.of("Contents"));
  const value = rawContents instanceof PDFRef ? context.lookup(rawContents) : rawContents;
  if (value instanceof PDFArray) return value.asArray().filter((each) => each instanceof PDFRef);
  return rawContents instanceof PDFRef && value ? [rawContents] : [];
}
