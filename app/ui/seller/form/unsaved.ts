/**
 * What a save answered; where no answer came, or none that the form could use (the database is away), the form stays as it
 * is and says so, and nothing is asked for again (`unlessUnreachable`).
 * @throws Response a redirect
 */
export async function unsaved(saving: Promise<unknown>): Promise<unknown> {
  try {
    return await saving;
  } catch (error) {
    if (error instanceof Response) throw error;
    const result = { status: "error", error: { "": ["Erro ao salvar configurações"] } };
    return { result, unreachable: true };
  }
}
