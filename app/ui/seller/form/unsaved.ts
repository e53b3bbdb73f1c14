/**
 * A save's reply; without a usable response (for example if the database is down) the form stays unchanged and shows an
 * error, and nothing is reloaded (`unlessUnreachable`).
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
