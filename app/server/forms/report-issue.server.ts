import type { z } from "zod";

/** The default message for a schema's issue, if the field has none of its own. */
export const reportIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === "too_big") return "Grande ou longo demais";
  if (issue.code === "too_small") return "Pequeno ou curto demais";
  return (issue.code === "invalid_type" && EXPECTED.get(issue.expected)) || "Valor inválido";
};

const EXPECTED = new Map<string, string>([
  ["string", "Envie um texto"],
  ["number", "Envie um número"],
  ["int", "Envie um número inteiro"],
  ["boolean", "Envie true ou false"],
  ["array", "Envie uma lista"],
  ["object", "Envie um objeto"],
  ["record", "Envie um objeto"],
]);
