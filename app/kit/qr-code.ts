import QRCode, { type QRCodeSegment } from "qrcode";

/**
 * Byte mode and a fixed mask: choosing among modes and evaluating all eight masks takes ten times as long, and readers
 * handle all of them equally well.
 */
const OPTIONS = { errorCorrectionLevel: "M", maskPattern: 2 } as const;

const segments = (text: string): QRCodeSegment[] => [
  { data: new TextEncoder().encode(text), mode: "byte" } as unknown as QRCodeSegment,
];

/** A text as a QR Code: `data` holds `size` × `size` modules, row by row, 1 where it is dark. */
export function qrModules(text: string): { size: number; data: Uint8Array } {
  return QRCode.create(segments(text), OPTIONS).modules;
}

/** The same as an SVG document. @param margin white around it, in modules */
export async function qrSvg(text: string, margin = 0): Promise<string> {
  return QRCode.toString(segments(text), { ...OPTIONS, type: "svg", margin });
}
