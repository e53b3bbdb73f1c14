/** One check and what to do about it. `unknown`: it could not be made. */
export type SpamCheck = {
  id: string;
  title: string;
  state: "ok" | "warn" | "fail" | "unknown";
  text: string;
  fix?: string;
};
