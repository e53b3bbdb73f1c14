import { formatDateTime } from "#app/kit/dates.ts";
import { exitWithFailure } from "#scripts/backup/exit-with-failure.ts";
import { withDatabase } from "#scripts/backup/with-database.ts";

/**
 * `npm run retry-mails`: sends at once the mails that wait for an account that refused them, or for the platform's quota.
 * `npm run retry-mails -- FROM [TO]`: also resends the mails that waited in this time span and failed in it or later. Times are in
 * São Paulo unless they name a zone: `2026-11-24T09:00`, or as the log has them `2026-11-24T12:00:31.123Z`.
 */
const EXAMPLE = "npm run retry-mails -- 2026-11-24T09:00 2026-11-24T12:00";
if (process.argv.length === 2) {
  try {
    const waiting = await withDatabase(retryWaitingMails);
    console.log(
      `E-mails que esperavam e saem agora: ${waiting}. Os que falharam ficam como estão; para enviar os de um período: ${EXAMPLE}`,
    );
    process.exit(0);
  } catch (error) {
    exitWithFailure(error);
  }
}
const [from, to] = [momentOf(process.argv[2]), momentOf(process.argv[3] ?? new Date().toISOString())];
if (!from || !to) {
  console.error(`Desde quando? ${EXAMPLE}`);
  process.exit(2);
}
const span = `de ${formatDateTime(from)} a ${formatDateTime(to)}, horário de São Paulo`;
if (from > to) {
  console.error(
    `O período, ${span}, acaba antes de começar. Um horário em UTC, como os do log, termina em Z.`,
  );
  process.exit(2);
}
try {
  const { failed, waiting } = await withDatabase(async () => {
    const mails = await import("#app/domain/mail/sending/retry-mails.server.ts");
    const failed = await mails.retryFailedMails(from, to);
    return { failed, waiting: await retryWaitingMails() };
  });
  console.log(
    `${failed} e-mails que esperavam no período (${span}) e falharam saem de novo; ${waiting} que ainda esperavam saem agora.`,
  );
  process.exit(0);
} catch (error) {
  exitWithFailure(error);
}

async function retryWaitingMails(): Promise<number> {
  const mails = await import("#app/domain/mail/sending/retry-mails.server.ts");
  return (await mails.retryPausedMails()) + (await mails.retryLaterMails());
}

function momentOf(typed = ""): Date | null {
  const day = /^\d{4}-\d\d-\d\d/.test(typed);
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(typed);
  const moment = new Date(hasZone ? typed : typed.length === 10 ? `${typed}T00:00-03:00` : `${typed}-03:00`);
  return day && !Number.isNaN(moment.getTime()) ? moment : null;
}
