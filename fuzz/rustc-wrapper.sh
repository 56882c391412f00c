#!/bin/sh
# Builds with coverage counters only what reads what others wrote: the product and the parsers under it. The rest keeps its
# other flags; counters in lopdf's match over four thousand glyph names alone would take the compiler half an hour.
# Use as RUSTC_WRAPPER; the first argument is the compiler.
rustc="$1"
shift
name=
previous=
for argument in "$@"; do
    [ "$previous" = --crate-name ] && name=$argument
    previous=$argument
done
case "$name" in
findall | findall_fuzz | findall_models | findall_server | csv | csv_core | hayro_cmap | html5gum | httparse | hyper | \
    mail_parser | pulldown_cmark | quick_xml | rten_onnx | ttf_parser | zip) ;;
*)
    for argument in "$@"; do
        shift
        case "$argument" in
        -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage*) ;;
        *) set -- "$@" "$argument" ;;
        esac
    done
    ;;
esac
exec "$rustc" "$@"
