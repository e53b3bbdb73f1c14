import type { MetaFunction } from "@remix-run/node";

export default function Home() {
  return <main className="p-6">Checkintelli</main>;
}

export const meta: MetaFunction = () => [{ title: "Checkintelli: checkout com PIX para produtos digitais" }];
