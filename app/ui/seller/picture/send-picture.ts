import type { SentPicture } from "#app/domain/picture/picture-json.server.ts";
import type { PicturePlace } from "#app/kit/files/pictures.ts";
import { paths } from "#app/kit/paths.ts";
import { announceAt, Refused, sendParts } from "#app/ui/seller/content/upload.ts";

const LOOKS = 500;
const AFTER_FAILURE = 3000;

type Hooks = {
  signal: AbortSignal;
  /** It is announced, under this id. */
  onBegun: (id: string) => void;
  onProgress: (sent: number) => void;
};

/** Sends a picture, as a file of any size is sent. @throws Refused; AbortError */
export async function sendPicture(
  file: File,
  place: PicturePlace,
  { signal, onBegun, onProgress }: Hooks,
): Promise<string> {
  const upload = await announceAt(paths.pictures(), file, { place });
  if (signal.aborted) throw new DOMException("stopped", "AbortError");
  onBegun(upload.id);
  await sendParts(file, upload, { signal, onProgress, onWaiting: () => {} });
  return upload.id;
}

/** Asks how a picture is doing until it is ready or refused; a line that fails is waited for. @throws Refused; AbortError */
export async function awaitPicture(id: string, signal: AbortSignal): Promise<SentPicture> {
  for (;;) {
    const picture = await ask(id, signal);
    if (picture && (picture.state === "ready" || picture.state === "failed")) return picture;
    await new Promise((later) => setTimeout(later, picture ? LOOKS : AFTER_FAILURE));
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
  }
}

async function ask(id: string, signal: AbortSignal): Promise<SentPicture | null> {
  const answer = await fetch(paths.sentPicture(id), { signal }).catch((error) => {
    if (signal.aborted) throw error;
    return null;
  });
  if (answer?.status === 404) throw new Refused("A imagem enviada não existe mais: envie-a de novo.");
  if (answer?.status === 401)
    throw new Refused("Sua sessão terminou. Entre de novo e envie a imagem outra vez.");
  return answer?.ok ? ((await answer.json()) as SentPicture) : null;
}
