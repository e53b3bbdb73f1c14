/** Where a seller's picture may stand. */
export const PICTURE_PLACES = ["product", "bump", "offer", "banner", "logo"] as const;
export type PicturePlace = (typeof PICTURE_PLACES)[number];

/** Why a picture cannot be shown; words for people are made of them in domain/picture. */
export const PICTURE_FAILURES = ["heic", "vector", "unknown", "broken", "points", "heavy"] as const;
export type PictureFailure = (typeof PICTURE_FAILURES)[number];

/**
 * How large a picture is at its place: `width` and `height` are the most it is kept in, so twice what
 * the place shows. `crop` cuts it to that shape; else it only has to fit in. `widths` are those it is kept in, beside its own.
 */
const PLANS: Record<PicturePlace, PicturePlan> = {
  product: { width: 600, height: 600, crop: true, widths: [72, 144, 300] },
  bump: { width: 400, height: 400, crop: true, widths: [56, 112] },
  offer: { width: 1280, height: 720, crop: false, widths: [360, 720] },
  banner: { width: 1920, height: 480, crop: true, widths: [400, 800, 1200] },
  logo: { width: 360, height: 112, crop: false, widths: [] },
};

type PicturePlan = { width: number; height: number; crop: boolean; widths: number[] };

/** As browsers take them, the best first; the last is for those that know neither. */
export const MODERN_FORMATS = ["avif", "webp"] as const;
export type PictureFormat = (typeof MODERN_FORMATS)[number] | Fallback;
/** PNG where something of it is seen through. */
type Fallback = "jpg" | "png";

/** A picture that we keep, as its address tells it; sizes in pixels. */
export type KeptPicture = {
  /** Of its bytes: another picture has another. */
  key: string;
  place: PicturePlace;
  width: number;
  height: number;
  format: PictureFormat;
};

const NAME = /^(product|bump|offer|banner|logo)-(\d{1,4})x(\d{1,4})\.(avif|webp|jpg|png)$/;
const PATH = /^((?:https?:\/\/[^/?#]+)?\/pictures\/)([0-9a-f]{32})\/([a-z]+-\d+x\d+\.[a-z]+)$/;

/** The last part of a picture's address, `product-600x600.jpg`. */
export function pictureName({ place, width, height, format }: Omit<KeptPicture, "key">): string {
  return `${place}-${width}x${height}.${format}`;
}

/** What that part tells; null where it is none. */
export function readPictureName(name: string): Omit<KeptPicture, "key"> | null {
  const [, place, width, height, format] = NAME.exec(name) ?? [];
  if (!format) return null;
  return {
    place: place as PicturePlace,
    width: Number(width),
    height: Number(height),
    format: format as PictureFormat,
  };
}

/** The picture of ours that an address leads to, with what stands before its key; null for one elsewhere. */
export function readPictureAddress(address: string): (KeptPicture & { before: string }) | null {
  const [, before, key, name] = PATH.exec(address) ?? [];
  const told = name ? readPictureName(name) : null;
  return told ? { ...told, before: before!, key: key! } : null;
}

/** How large a picture is kept for its place: as large as it shows, never larger than it came. */
export function pictureSize(place: PicturePlace, came: { width: number; height: number }) {
  const { width, height, crop } = PLANS[place];
  const scale = crop
    ? Math.min(1, Math.min(came.width / width, came.height / height))
    : Math.min(1, width / came.width, height / came.height);
  const [across, down] = crop ? [width, height] : [came.width, came.height];
  return { width: Math.max(1, Math.round(across * scale)), height: Math.max(1, Math.round(down * scale)) };
}

/** The most a picture is kept in at its place, which is what is best to send. */
export function mostOf(place: PicturePlace): { width: number; height: number } {
  const { width, height } = PLANS[place];
  return { width, height };
}

/** Whether it has fewer points than its place shows, which is half of the most: then it is drawn larger than it is. */
export function isTooSmall(place: PicturePlace, kept: { width: number; height: number }): boolean {
  const { width, height } = PLANS[place];
  return kept.width * 2 < width && kept.height * 2 < height;
}

/** The sizes a picture is kept in, from the smallest to its own. */
export function pictureSizes(
  place: PicturePlace,
  whole: { width: number; height: number },
): { width: number; height: number }[] {
  const widths = place === "logo" ? [Math.ceil(whole.width / 2)] : PLANS[place].widths;
  const smaller = widths.filter((width) => width < whole.width);
  return [...smaller, whole.width].map((width) => ({
    width,
    height: Math.max(1, Math.round((whole.height * width) / whole.width)),
  }));
}
