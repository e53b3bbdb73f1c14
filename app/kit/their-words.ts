/** A failure as it is told: our words first, a service's own as a detail. */
export function withTheirWords(ours: string, theirs: string): string {
  return theirs.trim() ? `${ours} Resposta do serviço: ${theirs.trim()}` : ours;
}
