/** One thing that was looked at, and what to do about it. `unknown`: it could not be looked at. */
export type SpamCheck = {
  id: string;
  title: string;
  state: "ok" | "warn" | "fail" | "unknown";
  text: string;
  fix?: string;
};
