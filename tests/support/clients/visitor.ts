import { newAddress } from "#tests/support/clients/client-address.ts";

/**
 * A browser without a screen: a separate client, stores cookies by host, follows no redirect by itself. Paths are the
 * app's at `base`.
 */
export function visitor(base: string, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const address = newAddress();

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, base);
    const cookies = [...jar].filter(([key]) => key.startsWith(`${url.host} `)).map(([, pair]) => pair);
    const answer = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: {
        "X-Forwarded-For": address,
        ...headers,
        ...(cookies.length > 0 ? { Cookie: cookies.join("; ") } : {}),
        ...init.headers,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const pair = line.split(";")[0]!;
      const key = `${url.host} ${pair.slice(0, pair.indexOf("="))}`;
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(key);
      else jar.set(key, pair);
    }
    return answer;
  }

  return {
    get: (path: string, init?: RequestInit) => send(path, init),
    /** A form, as a page posts it. */
    post: (path: string, fields: Record<string, string>) =>
      send(path, { method: "POST", body: new URLSearchParams(fields) }),
    json: (path: string, body: unknown, method = "POST") =>
      send(path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    /** Follows redirects until an answer is none or `stop` returns true. */
    async follow(
      answer: Response,
      stop: (to: URL) => boolean = () => false,
    ): Promise<{ at: URL; answer: Response }> {
      let at = new URL(answer.url);
      let current = answer;
      for (let i = 0; i < 12 && current.headers.has("location"); i++) {
        at = new URL(current.headers.get("location")!, at);
        if (stop(at)) break;
        current = await send(at.href);
      }
      return { at, answer: current };
    },
    cookies: () => [...jar.values()],
  };
}
