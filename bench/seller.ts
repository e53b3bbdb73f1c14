import { send } from "./http.ts";

/** Signs in to the demo shop. @returns the headers of its seller's requests */
export async function signIn(url: string): Promise<{ Cookie: string }> {
  const body = JSON.stringify({ email: "vendedor@exemplo.com.br", password: "demonstracao-123" });
  const headers = { "Content-Type": "application/json" };
  const session = await send(`${url}/api/sessions`, { method: "POST", headers, body });
  return { Cookie: session.headers["set-cookie"]!.map((line) => line.split(";")[0]).join("; ") };
}
