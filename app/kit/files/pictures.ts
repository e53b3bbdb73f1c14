/** Where a seller's picture may be used. */
export const PICTURE_USES = ["product", "bump", "offer", "banner", "logo"] as const;
export type PictureUse = (typeof PICTURE_USES)[number];

/** Why a picture cannot be shown; domain/picture has the messages. */
export const PICTURE_FAILURES = ["heic", "vector", "unknown", "broken", "points", "heavy"] as const;
export type PictureFailure = (typeof PICTURE_FAILURES)[number];

/**
 * Sizes by use: `width` and `height` are the stored maximum, twice what the page shows. `crop` cuts to that shape;
 * otherwise it only has to fit. `widths` are stored besides its own.
 */
const SIZE_PLANS: Record<PictureUse, PicturePlan> = {
  product: { width: 600, height: 600, crop: true, widths: [72, 144, 300] },
  bump: { width: 400, height: 400, crop: true, widths: [56, 112] },
  offer: { width: 1280, height: 720, crop: false, widths: [360, 720] },
  banner: { width: 1920, height: 480, crop: true, widths: [400, 800, 1200] },
  logo: { width: 360, height: 112, crop: false, widths: [] },
};

type PicturePlan = { width: number; height: number; crop: boolean; widths: number[] };

/** In order of preference; the fallback is for browsers that support neither. */
export const MODERN_FORMATS = ["avif", "webp"] as const;
export type PictureFormat = (typeof MODERN_FORMATS)[number] | FallbackFormat;
/** PNG if it has transparency. */
type FallbackFormat = "jpg" | "png";

/** A stored picture, as its address describes it; sizes in pixels. */
export type StoredPicture = {
  /** Hash of its bytes. */
  key: string;
  use: PictureUse;
  width: number;
  height: number;
  format: PictureFormat;
};

const NAME_PATTERN = /^(product|bump|offer|banner|logo)-(\d{1,4})x(\d{1,4})\.(avif|webp|jpg|png)$/;
const PATH_PATTERN = /^((?:https?:\/\/[^/?#]+)?\/pictures\/)([0-9a-f]{32})\/([a-z]+-\d+x\d+\.[a-z]+)$/;

/** The last part of a picture's address, `product-600x600.jpg`. */
export function pictureName({ use, width, height, format }: Omit<StoredPicture, "key">): string {
  return `${use}-${width}x${height}.${format}`;
}

/** Parses such a file name; null if it is none. */
export function readPictureName(name: string): Omit<StoredPicture, "key"> | null {
  const [, use, width, height, format] = NAME_PATTERN.exec(name) ?? [];
  if (!format) return null;
  return {
    use: use as PictureUse,
    width: Number(width),
    height: Number(height),
    format: format as PictureFormat,
  };
}

/** A stored picture's address: `prefix` stands before its key. */
export type PictureAddress = StoredPicture & { prefix: string };

/** Parses a stored picture's address; null for a picture elsewhere. */
export function readPictureAddress(address: string): PictureAddress | null {
  const [, prefix, key, name] = PATH_PATTERN.exec(address) ?? [];
  const parsed = name ? readPictureName(name) : null;
  return parsed ? { ...parsed, prefix: prefix!, key: key! } : null;
}

/** The stored size of a picture for its use: as large as it is shown, never larger than the original. */
export function pictureSize(use: PictureUse, original: { width: number; height: number }) {
  const { width, height, crop } = SIZE_PLANS[use];
  const scale = crop
    ? Math.min(1, Math.min(original.width / width, original.height / height))
    : Math.min(1, width / original.width, height / original.height);
  const [across, down] = crop ? [width, height] : [original.width, original.height];
  return { width: Math.max(1, Math.round(across * scale)), height: Math.max(1, Math.round(down * scale)) };
}

/** The maximal stored size for a use, which is the best size to upload. */
export function maxPictureSize(use: PictureUse): { width: number; height: number } {
  const { width, height } = SIZE_PLANS[use];
  return { width, height };
}

/** Whether it has fewer pixels than its use shows, which is half of the maximum: then it is scaled up. */
export function isTooSmall(use: PictureUse, stored: { width: number; height: number }): boolean {
  const { width, height } = SIZE_PLANS[use];
  return stored.width * 2 < width && stored.height * 2 < height;
}

/** The stored sizes of a picture, from the smallest to its own. */
export function pictureSizes(
  use: PictureUse,
  full: { width: number; height: number },
): { width: number; height: number }[] {
  const widths = use === "logo" ? [Math.ceil(full.width / 2)] : SIZE_PLANS[use].widths;
  const smaller = widths.filter((width) => width < full.width);
  return [...smaller, full.width].map((width) => ({
    width,
    height: Math.max(1, Math.round((full.height * width) / full.width)),
  }));
}
