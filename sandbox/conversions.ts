import type { Time } from "./time.ts";

/** An event as one of the advertisers took it. */
export interface Conversion {
  service: "meta" | "ga4" | "tiktok" | "kwai";
  pixel: string;
  event: string;
  /** What copies are known by; empty where the service knows none. */
  id: string;
  /** Whether it counted: a copy does not, nor a test where the service tells tests apart. */
  counted: boolean;
  isTest: boolean;
  at: string;
  /** The event alone, as it came. */
  body: unknown;
}

export type Conversions = ReturnType<typeof createConversions>;

const KEPT = 2000;

export function createConversions(time: Time) {
  let taken: Conversion[] = [];
  return {
    take(conversion: Omit<Conversion, "counted" | "at">) {
      const { service, pixel, event, id, isTest } = conversion;
      const isCopy =
        id !== "" &&
        taken.some(
          (one) => one.service === service && one.pixel === pixel && one.event === event && one.id === id,
        );
      const counted = !isCopy && !(isTest && service !== "meta");
      taken = [...taken, { ...conversion, counted, at: new Date(time.now()).toISOString() }].slice(-KEPT);
    },
    /** Oldest first. */
    list: (service?: string) => taken.filter((one) => service === undefined || one.service === service),
    reset() {
      taken = [];
    },
  };
}
