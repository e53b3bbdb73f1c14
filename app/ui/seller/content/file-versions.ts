/**
 * Which version of a file an upload began with, in this browser: of one name and size there may be several, and an upload is
 * never joined from two.
 */
const keyOf = (uploadId: string) => `envio-${uploadId}`;

export function rememberVersion(uploadId: string, { lastModified }: File): void {
  try {
    localStorage.setItem(keyOf(uploadId), String(lastModified));
  } catch {
    // Storage is full or forbidden: the upload is begun anew when its file is chosen again.
  }
}

export function forgetVersion(uploadId: string): void {
  try {
    localStorage.removeItem(keyOf(uploadId));
  } catch {}
}

/** Whether an upload may go on with a file: it began with this version, or nothing of it has arrived. */
export function mayContinue(
  { id, received }: { id: string; received: number },
  { lastModified }: File,
): boolean {
  const began = readVersion(id);
  return began === null ? received === 0 : began === String(lastModified);
}

function readVersion(uploadId: string): string | null {
  try {
    return localStorage.getItem(keyOf(uploadId));
  } catch {
    return null;
  }
}
