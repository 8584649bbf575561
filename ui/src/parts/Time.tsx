import { formatAge, formatDateTime } from "../text/format";

/** A time as a person says it, with the exact one on hover. */
export const Time = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={formatDateTime(at)} className={className}>
    {formatAge(at)}
  </time>
);
