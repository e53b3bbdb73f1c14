import type { PictureAnswer } from "#app/domain/picture/picture-json.server.ts";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { paths } from "#app/kit/paths.ts";
import { announceAt, Refused, sendParts } from "#app/ui/seller/content/upload.ts";

const POLL_INTERVAL_MS = 500;
const AFTER_FAILURE = 3000;

type Hooks = {
  signal: AbortSignal;
  /** Called once the upload has started, with its id. */
  onBegun: (id: string) => void;
  onProgress: (sent: number) => void;
};

/** Uploads a picture, like any other file. @throws Refused; AbortError */
export async function sendPicture(
  file: File,
  pictureUse: PictureUse,
  { signal, onBegun, onProgress }: Hooks,
): Promise<string> {
  const upload = await announceAt(paths.pictures(), file, { place: pictureUse });
  if (signal.aborted) throw new DOMException("stopped", "AbortError");
  onBegun(upload.id);
  await sendParts(file, upload, { signal, onProgress, onWaiting: () => {} });
  return upload.id;
}

/** Polls a picture's state until it is ready or refused; waits while the connection fails. @throws Refused; AbortError */
export async function awaitPicture(id: string, signal: AbortSignal): Promise<PictureAnswer> {
  for (;;) {
    const picture = await fetchState(id, signal);
    if (picture && (picture.state === "ready" || picture.state === "failed")) return picture;
    await new Promise((later) => setTimeout(later, picture ? POLL_INTERVAL_MS : AFTER_FAILURE));
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
  }
}

async function fetchState(id: string, signal: AbortSignal): Promise<PictureAnswer | null> {
  const answer = await fetch(paths.pictureUpload(id), { signal }).catch((error) => {
    if (signal.aborted) throw error;
    return null;
  });
  if (answer?.status === 404) throw new Refused("A imagem enviada não existe mais: envie-a de novo.");
  if (answer?.status === 401)
    throw new Refused("Sua sessão terminou. Entre de novo e envie a imagem outra vez.");
  return answer?.ok ? ((await answer.json()) as PictureAnswer) : null;
}
