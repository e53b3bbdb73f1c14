/** Where a request came from, as far as it is known. */
export type Origin = { ip: string | null; userAgent: string | null };

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

/** A device in words for its owner: `Chrome no Windows`. From the User-Agent, so a good guess at best. */
export function describeDevice(userAgent: string | null): string {
  const agent = userAgent ?? "";
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser && system) return `${browser} no ${system}`;
  return browser ?? system ?? "Dispositivo desconhecido";
}

/** What a buyer may hold: a tablet is a phone where its browser says so. */
export const DEVICES = ["phone", "computer"] as const;
export type Device = (typeof DEVICES)[number];

/** What a browser runs on, from its User-Agent; null for what is no browser. */
export function deviceOf(userAgent: string | null): Device | null {
  const agent = userAgent ?? "";
  if (!/^(Mozilla|Opera)\//.test(agent)) return null;
  return /Mobi|Android|iPhone|iPad/.test(agent) ? "phone" : "computer";
}
