import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, PDFRef } from "@cantoo/pdf-lib";
import { StampRefused } from "#app/platform/pdf/stamp-refused.ts";

/** A page with what it has of the nodes above it. Lengths are in its own units, of which `unit` are a point. */
export type FoundPage = {
  node: PDFDict;
  resources: PDFDict | null;
  contents: PDFRef[];
  /** What is shown of it, before it is turned. */
  box: Box;
  /** How far it is turned for reading, clockwise. */
  rotation: 0 | 90 | 180 | 270;
  unit: number;
};
export type Box = { left: number; bottom: number; right: number; top: number };

type Inherited = { Resources?: PDFDict; MediaBox?: Box; CropBox?: Box; Rotate?: number };

/** Nodes that stand over pages: more of them than that are made to keep readers busy. */
const MOST_NODES = 10_000;
const LETTER: Box = { left: 0, bottom: 0, right: 612, top: 792 };

/** All pages of a document, each once. @throws StampRefused broken where there is none, pages where there are too many */
export function findPages(context: PDFContext, most: number): FoundPage[] {
  const catalog = context.lookup(context.trailerInfo.Root, PDFDict);
  const found: FoundPage[] = [];
  const seen = new Set<PDFDict>();
  const ahead: { node: unknown; above: Inherited }[] = [
    { node: catalog.get(PDFName.of("Pages")), above: {} },
  ];
  for (let step = ahead.pop(); step; step = ahead.pop()) {
    const node = step.node instanceof PDFRef ? context.lookup(step.node) : step.node;
    // A tree that comes back to itself is gone through once.
    if (!(node instanceof PDFDict) || seen.has(node)) continue;
    seen.add(node);
    if (seen.size > MOST_NODES + most) throw new StampRefused("pages");
    const inherited = { ...step.above, ...ownOf(node) };
    const kids = node.lookup(PDFName.of("Kids"));
    if (!(kids instanceof PDFArray)) found.push(pageOf(context, node, inherited));
    else if (kids.size() > MOST_NODES) throw new StampRefused("pages");
    else for (const kid of kids.asArray().toReversed()) ahead.push({ node: kid, above: inherited });
    if (found.length > most) throw new StampRefused("pages");
  }
  if (found.length === 0) throw new StampRefused("broken");
  return found;
}

function ownOf(node: PDFDict): Inherited {
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

function pageOf(context: PDFContext, node: PDFDict, above: Inherited): FoundPage {
  const media = above.MediaBox ?? LETTER;
  const turned = (((Math.round((above.Rotate ?? 0) / 90) * 90) % 360) + 360) % 360;
  const unit = node.lookup(PDFName.of("UserUnit"));
  return {
    node,
    resources: above.Resources ?? null,
    contents: contentsOf(context, node),
    box: shared(media, above.CropBox ?? media),
    rotation: turned as FoundPage["rotation"],
    unit: unit instanceof PDFNumber && unit.asNumber() > 0 ? unit.asNumber() : 1,
  };
}

/** Readers show of a page what both boxes have; where they have nothing in common the larger. */
function shared(media: Box, crop: Box): Box {
  const both = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  };
  return both.right > both.left && both.top > both.bottom ? both : media;
}

/** Any two opposite corners; null for what is no box. */
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

/** A page's streams; an array of them may stand apart. */
function contentsOf(context: PDFContext, node: PDFDict): PDFRef[] {
  const given = node.get(PDFName.of("Contents"));
  const value = given instanceof PDFRef ? context.lookup(given) : given;
  if (value instanceof PDFArray) return value.asArray().filter((each) => each instanceof PDFRef);
  return given instanceof PDFRef && value ? [given] : [];
}
