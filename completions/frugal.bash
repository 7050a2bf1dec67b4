# frugal(1) completion for bash. Made by frugal help --completion bash:
# scripts/man writes it anew.
_frugal() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} words='' files=''
    # --enum=name comes as three words.
    if [ "$word" = '=' ]; then
        word=''
    elif [ "$before" = '=' ]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if [ "$COMP_CWORD" -eq 1 ]; then
        words='decode encode inspect check gen plan disasm help --help --version'
    else
        case $command:$before in
        decode:--idl|decode:-i) files=-f ;;
        decode:--include|decode:-I) files=-d ;;
        decode:--auto-ids) words='apache thriftgo' ;;
        decode:--type|decode:-t) ;;
        decode:--service|decode:-s) ;;
        decode:--protocol|decode:-p) words='auto binary' ;;
        decode:--framing) words='auto buffered framed ttheader ttheader-framed' ;;
        decode:--output|decode:-o) files=-f ;;
        decode:--enum) words='name number' ;;
        decode:--i64) words='number string' ;;
        decode:--binary) words='base64 utf8' ;;
        decode:--input-max) ;;
        decode:--memory-max) ;;
        decode:--engine) words='auto interpreter jit' ;;
        encode:--idl|encode:-i) files=-f ;;
        encode:--include|encode:-I) files=-d ;;
        encode:--auto-ids) words='apache thriftgo' ;;
        encode:--type|encode:-t) ;;
        encode:--service|encode:-s) ;;
        encode:--protocol|encode:-p) words='auto binary' ;;
        encode:--framing) words='auto buffered framed ttheader ttheader-framed' ;;
        encode:--output|encode:-o) files=-f ;;
        encode:--binary) words='base64 utf8' ;;
        encode:--input-max) ;;
        encode:--memory-max) ;;
        encode:--engine) words='auto interpreter jit' ;;
        inspect:--framing) words='auto buffered framed ttheader ttheader-framed' ;;
        inspect:--output|inspect:-o) files=-f ;;
        inspect:--input-max) ;;
        check:--include|check:-I) files=-d ;;
        check:--auto-ids) words='apache thriftgo' ;;
        check:--format) words='text json' ;;
        gen:--output|gen:-o) files=-d ;;
        gen:--prefix) ;;
        gen:--names) words='snake idl' ;;
        gen:--include|gen:-I) files=-d ;;
        gen:--auto-ids) words='apache thriftgo' ;;
        gen:--depfile) files=-f ;;
        plan:--idl|plan:-i) files=-f ;;
        plan:--include|plan:-I) files=-d ;;
        plan:--auto-ids) words='apache thriftgo' ;;
        plan:--type|plan:-t) ;;
        plan:--output|plan:-o) files=-f ;;
        disasm:--idl|disasm:-i) files=-f ;;
        disasm:--include|disasm:-I) files=-d ;;
        disasm:--auto-ids) words='apache thriftgo' ;;
        disasm:--type|disasm:-t) ;;
        disasm:--direction) words='decode decode-views encode size' ;;
        disasm:--output|disasm:-o) files=-f ;;
        help:--completion) words='bash zsh' ;;
        help:--output|help:-o) files=-f ;;
        *)
            files=-f
            case $command in
            decode) words='--idl -i --include -I --auto-ids --type -t --service -s --protocol -p --framing --hex -x --output -o --pretty --compact-json --enum --i64 --binary --defaults --keep-unknown --strict --input-max --memory-max --engine --exact --stats --help' ;;
            encode) words='--idl -i --include -I --auto-ids --type -t --service -s --protocol -p --framing --hex -x --output -o --binary --strict --input-max --memory-max --engine --help' ;;
            inspect) words='--framing --bare -b --hex -x --all -a --output -o --input-max --help' ;;
            check) words='--include -I --auto-ids --format --help' ;;
            gen) words='--output -o --prefix --names --no-tables --recursive -r --include -I --auto-ids --depfile --help' ;;
            plan) words='--idl -i --include -I --auto-ids --type -t --keep-unknown --presence --output -o --help' ;;
            disasm) words='--idl -i --include -I --auto-ids --type -t --direction --raw --output -o --help' ;;
            help) words='--man --completion --output -o --help' ;;
            esac
            case $command:$word in
            *:-*) files='' ;;
            help:*) files='' words='decode encode inspect check gen plan disasm help' ;;
            *) words='' ;;
            esac ;;
        esac
    fi
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$files" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}
complete -F _frugal frugal
