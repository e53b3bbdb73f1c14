import { DAY, HOUR, MINUTE } from "#app/kit/duration.ts";

/**
 * The schedule (crontab, UTC). Each line fires once, however many workers run. 11:00 is 8:00 in São Paulo, which has had no
 * daylight saving since 2019. A digest that was missed is mailed late, while the week or month it is about is still the last
 * whole one.
 */
export const crontab = `
* * * * * sweep-charges ?jobKey=sweep-charges&jobKeyMode=replace
* * * * * wake-missed ?jobKey=wake-missed&jobKeyMode=replace
* * * * * refresh-reports ?jobKey=refresh-reports&jobKeyMode=replace
* * * * * send-refunds ?jobKey=send-refunds:&jobKeyMode=replace
*/5 * * * * try-refunds ?jobKey=try-refunds&jobKeyMode=replace
*/10 * * * * test-spares ?jobKey=test-spares&jobKeyMode=replace
*/10 * * * * close-orders ?jobKey=close-orders&jobKeyMode=replace
20 8 * * * add-statements ?jobKey=add-statements&jobKeyMode=replace&fill=1d
17 6 * * * clean-up ?jobKey=clean-up&jobKeyMode=replace&fill=1d
37 6 * * * clean-files ?jobKey=clean-files&jobKeyMode=replace&fill=1d
57 6 * * * withdraw-public-keys ?jobKey=withdraw-public-keys&jobKeyMode=replace&fill=1d
33 * * * * empty-closed ?jobKey=empty-closed&jobKeyMode=replace
23 * * * * empty-unpaid ?jobKey=empty-unpaid&jobKeyMode=replace
47 6 * * * reseal ?jobKey=reseal:&jobKeyMode=replace&fill=1d
*/10 * * * * connect-resend ?jobKey=connect-resend:&jobKeyMode=replace {"sellerId":""}
0 11 * * 1 mail-digests ?id=mail-weekly&fill=6d {"kind":"weekly"}
0 11 1 * * mail-digests ?id=mail-monthly&fill=20d {"kind":"monthly"}
`;

/**
 * The jobs that each line of theirs replaces, and how often they are run, in milliseconds. One that fails for ever is queued
 * anew each time and never fails for good, so the time since its last success is measured. Others remain as failed jobs.
 */
export const schedule: Record<string, number> = Object.fromEntries(
  crontab
    .split("\n")
    .filter((line) => line.includes("jobKeyMode=replace"))
    .map((line) => {
      const [minute, hour, , , , job] = line.split(" ");
      return [job!, hour === "*" ? intervalOf(minute!) : DAY];
    }),
);

// Of a line that runs every hour: `*`, `*/5` or `33`.
function intervalOf(minute: string): number {
  if (minute === "*") return MINUTE;
  return minute.startsWith("*/") ? Number(minute.slice(2)) * MINUTE : HOUR;
}
