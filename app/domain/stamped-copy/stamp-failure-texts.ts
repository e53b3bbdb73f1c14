import { formatBytes } from "#app/kit/files/bytes.ts";
import { MAX_STAMP_BYTES, MAX_STAMP_PAGES, type StampFailure } from "#app/kit/files/stamp-limits.ts";

/** What can be stamped, for the seller. */
export const STAMP_LIMITS_TEXT = `Para PDFs de até ${formatBytes(MAX_STAMP_BYTES)} e ${MAX_STAMP_PAGES} páginas.`;

/** Why a file cannot be stamped at all, as text for its seller; null where it can be attempted. */
export function unstampableReason(file: { contentType: string | null; size: number } | null): string | null {
  if (file?.contentType !== "application/pdf") return "Só PDFs podem ser carimbados.";
  if (file.size > MAX_STAMP_BYTES)
    return `Este PDF tem ${formatBytes(file.size)}: o carimbo vale para até ${formatBytes(MAX_STAMP_BYTES)}.`;
  return null;
}

/** Why stamping failed, for the seller. */
export const STAMP_FAILURE_TEXTS: Record<StampFailure, string> = {
  locked: "O PDF é protegido por senha ou tem restrições. Salve uma cópia sem proteção e envie-a.",
  signed: "O PDF tem uma assinatura digital, que o carimbo invalidaria.",
  broken: "O PDF está danificado ou incompleto. Abra-o, salve uma cópia e envie a cópia.",
  pages: `O PDF tem páginas demais: o carimbo vale para até ${MAX_STAMP_PAGES}.`,
  heavy:
    "Não conseguimos carimbar o PDF: talvez ele seja pesado demais. Salve-o de novo como PDF otimizado e envie a cópia.",
  full: "Não havia espaço para guardar a cópia carimbada.",
  gone: "O arquivo não está mais onde foi guardado.",
};
