import { formatBytes } from "#app/kit/files/bytes.ts";
import { MOST_STAMP_BYTES, MOST_STAMP_PAGES, type StampFailure } from "#app/kit/files/stamps.ts";

/** What can be stamped, for who sells it. */
export const STAMP_LIMITS = `Para PDFs de até ${formatBytes(MOST_STAMP_BYTES)} e ${MOST_STAMP_PAGES} páginas.`;

/** Why a file cannot be stamped at all, in words for its seller; null where it may be tried. Bytes. */
export function neverStamped(file: { contentType: string | null; size: number } | null): string | null {
  if (file?.contentType !== "application/pdf") return "Só PDFs podem ser carimbados.";
  if (file.size > MOST_STAMP_BYTES)
    return `Este PDF tem ${formatBytes(file.size)}: o carimbo vale para até ${formatBytes(MOST_STAMP_BYTES)}.`;
  return null;
}

/** Why one was not, for its seller. */
export const STAMP_FAILURE_WORDS: Record<StampFailure, string> = {
  locked: "O PDF é protegido por senha ou tem restrições. Salve uma cópia sem proteção e envie-a.",
  signed: "O PDF tem uma assinatura digital, que o carimbo invalidaria.",
  broken: "O PDF está danificado ou incompleto. Abra-o, salve uma cópia e envie a cópia.",
  pages: `O PDF tem páginas demais: o carimbo vale para até ${MOST_STAMP_PAGES}.`,
  heavy: "O PDF é pesado demais para ser carimbado. Salve-o de novo como PDF otimizado e envie a cópia.",
  full: "Não havia espaço para guardar a cópia carimbada.",
  gone: "O arquivo não está mais onde foi guardado.",
};
