/** Where a request came from, as far as known, and the session or API key by which it acts for a seller. */
export type RequestOrigin = {
  ip: string | null;
  userAgent: string | null;
  sessionId?: string;
  keyId?: string;
};

const BROWSERS: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** A device's description for its owner: `Chrome no Windows`. Guessed from the User-Agent. */
export function describeDevice(userAgent: string | null): string {
  const agent = userAgent ?? "";
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser && system) return `${browser} no ${system}`;
  return browser ?? system ?? "Dispositivo desconhecido";
}

/** A buyer's devices. A tablet counts as a phone if its browser says so. */
export const DEVICES = ["phone", "computer"] as const;
export type Device = (typeof DEVICES)[number];

/** The device of a browser, from its User-Agent; null if it is no browser. */
export function detectDevice(userAgent: string | null): Device | null {
  const agent = userAgent ?? "";
  if (!/^(Mozilla|Opera)\//.test(agent)) return null;
  return /Mobi|Android|iPhone|iPad/.test(agent) ? "phone" : "computer";
}
