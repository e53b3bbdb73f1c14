import type { PictureRow } from "#app/domain/picture/find-picture.server.ts";
import { pictureAddress } from "#app/domain/picture/picture-address.server.ts";
import { isTooSmall, maxPictureSize, type PictureFailure, type PictureUse } from "#app/kit/files/pictures.ts";

/** An uploaded picture, for the API and the dashboard's script. */
export type PictureAnswer = {
  id: string;
  place: PictureUse;
  state: "sending" | "preparing" | "ready" | "failed";
  /** For the seller: why it failed, or hints about it. */
  message: string | null;
  /** The value of the form field; null until it is ready. */
  url: string | null;
  width: number | null;
  height: number | null;
};

/** A hint for a picture with fewer pixels than its use shows. */
function tooSmallHints({ use, width, height }: PictureRow): string[] {
  if (width === null || height === null || !isTooSmall(use, { width, height })) return [];
  const ideal = maxPictureSize(use);
  return [
    `A imagem tem só ${width} × ${height} pontos e vai aparecer borrada. O ideal é ${ideal.width} × ${ideal.height}.`,
  ];
}

/** A picture in the API; `message` says why it failed, or what could be better about it. */
export function toPictureJson(row: PictureRow): PictureAnswer {
  const { id, use, failure, isAnimated, width, height } = row;
  const state = stateOf(row);
  const hints = [...(isAnimated ? [ANIMATED_TEXT] : []), ...tooSmallHints(row)];
  const failureText = failure ? PICTURE_FAILURE_TEXTS[failure] : NOT_RECEIVED_TEXT;
  const sellerMessage = state === "failed" ? failureText : hints.join(" ") || null;
  return { id, place: use, state, message: sellerMessage, url: pictureAddress(row), width, height };
}

function stateOf({ failure, readyAt, scheduledAt, sourceId }: PictureRow): PictureAnswer["state"] {
  if (failure) return "failed";
  if (readyAt) return "ready";
  if (scheduledAt) return "preparing";
  // An upload that was cancelled or given up takes its row in `files` along, and the picture stays for a while.
  return sourceId ? "sending" : "failed";
}

const NOT_RECEIVED_TEXT = "O envio desta imagem não foi concluído. Envie-a de novo.";

/** Why an uploaded picture cannot be shown, for its seller. */
export const PICTURE_FAILURE_TEXTS: Record<PictureFailure, string> = {
  heic: "Fotos HEIC do iPhone não abrem em todo navegador, por isso não são aceitas. Salve a foto como JPEG e envie de novo; no iPhone, Ajustes › Câmera › Formatos › Mais Compatível faz isso sempre.",
  vector: "Desenhos SVG não são aceitos. Exporte como PNG e envie de novo.",
  unknown: "Este arquivo não é uma imagem que sabemos ler. Envie um JPEG, PNG, WebP, GIF ou AVIF.",
  broken: "A imagem está danificada ou incompleta. Abra-a, salve uma cópia e envie a cópia.",
  points: "A imagem é grande demais: o limite é de 50 milhões de pontos. Diminua-a e envie de novo.",
  heavy:
    "Não conseguimos preparar esta imagem: talvez ela pese demais. Salve-a menor, como JPEG, e envie de novo.",
};

/** Shown for a picture that was reduced to its first frame. */
export const ANIMATED_TEXT = "A imagem era animada: fica só o primeiro quadro.";
