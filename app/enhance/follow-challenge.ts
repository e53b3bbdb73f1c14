/**
 * Asks the server for the result once the bank's page in its frame says that it has ended. The message proves nothing, and another
 * page of the bank may show it, so only the window it comes from is compared.
 */
export function followChallenge(): void {
  let isOver = false;
  addEventListener("message", ({ source, data }: MessageEvent<{ status?: string } | null>) => {
    const frame = document.querySelector<HTMLIFrameElement>("iframe[data-challenge]");
    const form = document.querySelector<HTMLFormElement>("form[data-challenged]");
    // The page that has ended says so each time it is loaded.
    if (isOver || !frame || !form || source !== frame.contentWindow || data?.status !== "COMPLETE") return;
    isOver = true;
    form.querySelector<HTMLInputElement>("[name=over]")!.value = "1";
    form.querySelector("button")!.click();
  });
}
