import type { PictureFailure } from "#app/kit/files/pictures.ts";

/** Why an uploaded picture cannot be shown, for its seller. */
export const PICTURE_FAILURE_TEXTS: Record<PictureFailure, string> = {
  heic: "Fotos HEIC do iPhone não abrem em todo navegador, por isso não são aceitas. Salve a foto como JPEG e envie de novo; no iPhone, Ajustes › Câmera › Formatos › Mais Compatível faz isso sempre.",
  vector: "Desenhos SVG não são aceitos. Exporte como PNG e envie de novo.",
  unknown: "Este arquivo não é uma imagem que sabemos ler. Envie um JPEG, PNG, WebP, GIF ou AVIF.",
  broken: "A imagem está danificada ou incompleta. Abra-a, salve uma cópia e envie a cópia.",
  points: "A imagem é grande demais: o limite é de 50 milhões de pontos. Diminua-a e envie de novo.",
  heavy: "Esta imagem pesa demais para ser preparada. Salve-a menor, como JPEG, e envie de novo.",
};

/** Shown for a picture that was reduced to its first frame. */
export const ANIMATED_TEXT = "A imagem era animada: fica só o primeiro quadro.";
