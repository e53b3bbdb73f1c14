import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import type { PendingUpload } from "#app/domain/content/list-content.server.ts";
import { ARRIVED, cancelUpload } from "#app/ui/seller/content/cancel-upload.ts";
import { forgetVersion, mayContinue, rememberVersion } from "#app/ui/seller/content/file-versions.ts";
import { announce, Busy, Refused, sendParts, type Upload } from "#app/ui/seller/content/upload.ts";
import { leavesUnlessOnly, useReportUnsaved } from "#app/ui/seller/form/unsaved-work.tsx";

/** An upload as the list shows it; without `file` it waits until the file is chosen again. */
export type Sending = {
  id: string;
  name: string;
  size: number;
  sent: number;
  state: "sending" | "waiting" | "paused" | "failed" | "refused" | "asleep";
  message?: string;
  /** The item for which the file is chosen again; none for a new one. */
  replacedName?: string | undefined;
};

type Job = { file: File; upload: Upload; controller: AbortController };

/** The uploads of a page: earlier ones that wait for their file, and running ones. */
export function useUploads(to: { productId: number; owner: string }, pending: PendingUpload[]) {
  const [running, setRunning] = useState<Sending[]>([]);
  const jobs = useRef(new Map<string, Job>());
  // Uploads that the server has no record of: started again by a button.
  const unannounced = useRef(new Map<string, { file: File; replaces: string | null }>());
  const { revalidate } = useRevalidator();
  const change = (id: string, fields: Partial<Sending>) =>
    setRunning((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  const drop = (id: string) => {
    forgetVersion(id);
    jobs.current.delete(id);
    setRunning((all) => all.filter((one) => one.id !== id));
  };
  const isSending = running.some(({ state }) => state === "sending" || state === "waiting");

  useReportUnsaved("uploads", isSending, LEAVING);
  useEffect(() => {
    const all = jobs.current;
    return () => {
      for (const { controller } of all.values()) controller.abort();
    };
  }, []);

  async function run(id: string) {
    const job = jobs.current.get(id);
    if (!job) return;
    job.controller = new AbortController();
    const { signal } = job.controller;
    change(id, { state: "sending", message: undefined });
    try {
      await sendParts(job.file, job.upload, {
        signal,
        onProgress: (sent) => change(id, { sent, state: "sending" }),
        onWaiting: (message) => change(id, { state: "waiting", message }),
      });
      drop(id);
      revalidate();
    } catch (error) {
      if (signal.aborted) return;
      change(id, { state: "failed", message: error instanceof Refused ? error.message : "O envio parou." });
    }
  }

  /** Sends files; an earlier upload of the same file for the same item is resumed, one of another version of it cancelled. */
  async function add(chosen: Iterable<File>, replaces: string | null = null) {
    const fail = (file: File, state: "failed" | "refused", message: string) => {
      const id = crypto.randomUUID();
      if (state === "failed") unannounced.current.set(id, { file, replaces });
      setRunning((all) => [...all, { id, name: file.name, size: file.size, sent: 0, state, message }]);
    };
    for (const file of chosen) {
      if (file.size === 0) {
        fail(file, "refused", "O arquivo está vazio. Escolha outro.");
        continue;
      }
      const before = pending.find(
        (one) =>
          !jobs.current.has(one.id) &&
          one.name === file.name &&
          one.size === file.size &&
          (one.replaces?.id ?? null) === replaces,
      );
      try {
        const resumed = before && mayContinue(before, file) ? before : null;
        if (before && !resumed) await cancelUpload(before.id);
        const upload = resumed
          ? { ...resumed, part_size: PART, ready_at: null }
          : await announce(file, { ...to, replaces });
        rememberVersion(upload.id, file);
        if (before && !resumed) revalidate();
        jobs.current.set(upload.id, { file, upload, controller: new AbortController() });
        const { id, name, size, received } = upload;
        setRunning((all) => [
          ...all.filter((one) => one.id !== id),
          { id, name, size, sent: received, state: "sending" },
        ]);
        void run(id);
      } catch (error) {
        fail(file, error instanceof Refused ? "refused" : "failed", explain(error));
      }
    }
  }

  async function resume(id: string) {
    const missed = unannounced.current.get(id);
    if (!missed) return run(id);
    unannounced.current.delete(id);
    drop(id);
    await add([missed.file], missed.replaces);
  }

  function pause(id: string) {
    jobs.current.get(id)?.controller.abort();
    change(id, { state: "paused" });
  }

  async function stop(id: string) {
    const job = jobs.current.get(id);
    unannounced.current.delete(id);
    if (!job && !pending.some((one) => one.id === id)) return drop(id);
    if (job) pause(id);
    // One that waits for its file is listed with the others for it.
    const tell = (state: Sending["state"], message: string) =>
      setRunning((all) => [
        ...all.filter((one) => one.id !== id),
        ...uploads.flatMap((one) => (one.id === id ? [{ ...one, state, message }] : [])),
      ]);
    try {
      const isCancelled = await cancelUpload(id);
      drop(id);
      if (!isCancelled) tell("refused", ARRIVED);
      revalidate();
    } catch (error) {
      tell(job ? "failed" : "refused", `O envio não foi cancelado. ${explain(error)}`);
    }
  }

  const asleep: Sending[] = pending
    .filter(({ id }) => !running.some((one) => one.id === id))
    .map(({ id, name, size, received, replaces }) => ({
      ...{ id, name, size, sent: received, state: "asleep" },
      replacedName: replaces?.name,
    }));
  const uploads = [...asleep, ...running];
  return { uploads, add, pause, resume, stop };
}

function explain(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Busy ? "O servidor está ocupado: tente de novo." : "Sem conexão: tente de novo.";
}

const LEAVING = {
  leaves: leavesUnlessOnly(["edit"]),
  texts: {
    title: "Sair durante o envio?",
    text: "O envio para aqui. Para continuar de onde parou, volte neste navegador e escolha o mesmo arquivo.",
    stay: "Continuar enviando",
    leave: "Sair",
  },
};

/** Same as the API's `part_size`. */
const PART = 8 * 1024 * 1024;
