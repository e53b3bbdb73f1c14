export default function Developers() {
  return null;
}
