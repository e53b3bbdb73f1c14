import { exitWithFailure } from "#scripts/backup/exit-with-failure.ts";
import { withDatabase } from "#scripts/backup/with-database.ts";

/** `npm run backup -- FILE`: writes the whole shop to one file while it goes on selling. */
const file = process.argv[2];
if (!file) {
  console.error("Em que arquivo? npm run backup -- copia.gz");
  process.exit(2);
}
try {
  const rows = await withDatabase(async (url, secrets) => {
    const { writeBackup } = await import("#scripts/backup/write-backup.ts");
    const { listBeside, writeErased } = await import("#scripts/backup/erased-list.ts");
    const written = await writeBackup(url, secrets, file);
    await writeErased(url, secrets, listBeside(file));
    return written;
  });
  console.log(
    `${file}: ${rows} linhas. Guarde o APP_SECRET em outro lugar: sem ele as chaves dos vendedores não se leem.`,
  );
  console.log(filesBeside(process.env));
  process.exit(0);
} catch (error) {
  exitWithFailure(error);
}

/** Where the content of sellers' files is stored, which no backup contains. */
function filesBeside({ STORAGE_ENDPOINT, STORAGE_BUCKET, DATA_DIR }: NodeJS.ProcessEnv): string {
  const storage = STORAGE_ENDPOINT ? `o bucket ${STORAGE_BUCKET}` : `a pasta ${DATA_DIR || ".data"}/files`;
  return `Os arquivos dos vendedores não estão na cópia: copie agora também ${storage}.`;
}
