import { useEffect, useRef, useState } from "react";
import type { PictureUse } from "#app/kit/files/pictures.ts";
import { Refused } from "#app/ui/seller/content/upload.ts";
import { leavesUnlessOnly, useReportUnsaved } from "#app/ui/seller/form/unsaved-work.tsx";
import { awaitPicture, sendPicture } from "#app/ui/seller/picture/send-picture.ts";

/** The state of a field's picture; `sent` and `size` are bytes. */
export type PictureState =
  | { kind: "still" }
  | { kind: "sending"; sent: number; size: number }
  | { kind: "preparing" }
  | { kind: "failed"; message: string }
  | { kind: "ready"; message: string | null };

/**
 * Uploads the picture of one field and waits until it is ready; `fill` puts its URL into the field. `uploadedId` is
 * that of a picture that was sent before the page was returned, else empty.
 */
export function usePicture(options: {
  name: string;
  pictureUse: PictureUse;
  uploadedId: string;
  fill: (address: string) => void;
}) {
  const { name, pictureUse, uploadedId } = options;
  const [id, setId] = useState(uploadedId);
  const [state, setState] = useState<PictureState>(uploadedId ? { kind: "preparing" } : { kind: "still" });
  const running = useRef<AbortController>();
  const fill = useRef(options.fill);
  fill.current = options.fill;
  useReportUnsaved(`picture ${name}`, state.kind === "sending", LEAVING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a returned picture is awaited once.
  useEffect(() => {
    if (uploadedId) void follow(async () => uploadedId);
    return () => running.current?.abort();
  }, []);

  async function follow(arriving: (signal: AbortSignal) => Promise<string>) {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    try {
      const sent = await arriving(signal);
      setState({ kind: "preparing" });
      const picture = await awaitPicture(sent, signal);
      setId("");
      if (picture.url) fill.current(picture.url);
      setState(
        picture.url
          ? { kind: "ready", message: picture.message }
          : { kind: "failed", message: picture.message ?? FAILED },
      );
    } catch (error) {
      if (signal.aborted) return;
      setId("");
      setState({ kind: "failed", message: error instanceof Refused ? error.message : FAILED });
    }
  }

  function send(file: File) {
    setState({ kind: "sending", sent: 0, size: file.size });
    void follow((signal) =>
      sendPicture(file, pictureUse, {
        signal,
        onBegun: setId,
        onProgress: (sent) => setState({ kind: "sending", sent, size: file.size }),
      }),
    );
  }

  function stop() {
    running.current?.abort();
    setId("");
    setState({ kind: "still" });
  }

  return { id, state, send, stop };
}

const FAILED = "A imagem não pôde ser enviada. Tente de novo.";

const LEAVING = {
  leaves: leavesUnlessOnly(["tab"]),
  texts: {
    title: "Sair durante o envio?",
    text: "A imagem ainda está sendo enviada.",
    stay: "Continuar enviando",
    leave: "Sair",
  },
};
