import { paths } from "#app/kit/paths.ts";
import { failure } from "#app/ui/seller/content/upload.ts";

/** An upload ended before its cancellation arrived, say in another tab. */
export const ARRIVED =
  "O arquivo já tinha chegado inteiro, e quem comprou já o recebe. Se não for esse, remova o item ou substitua o arquivo.";

/** @returns false where the file had arrived whole, and stays. @throws Refused, Busy */
export async function cancelUpload(id: string): Promise<boolean> {
  const answer = await fetch(paths.upload(id), { method: "DELETE" });
  const body = await answer.json().catch(() => null);
  // Cancelled before, or left for a week.
  if (answer.status === 404) return true;
  if (!answer.ok) throw failure(answer.status, body);
  return body?.cancelled !== false;
}
