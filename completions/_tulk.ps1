# Completion of tulk for PowerShell. It asks tulk itself.
# Install: add `tulk completions powershell | Out-String | Invoke-Expression` to $PROFILE.

Register-ArgumentCompleter -Native -CommandName tulk -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Words before the cursor, without their quotes. The current word follows a colon, so that it is never empty.
    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
    $current = ':' + $wordToComplete.TrimStart([char[]]@("'", '"'))
    $program = if (Get-Command tulk -CommandType Application -ErrorAction SilentlyContinue) { 'tulk' } else { $words[0] }

    $earlier = $env:TULK_COMPLETE
    $encoding = [Console]::OutputEncoding
    try {
        $env:TULK_COMPLETE = 'powershell'
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $reply = @(& $program '--' @words $current 2> $null)
    } finally {
        $env:TULK_COMPLETE = $earlier
        [Console]::OutputEncoding = $encoding
    }

    # Without candidates PowerShell completes files.
    $reply | Select-Object -Skip 1 | ForEach-Object {
        $value, $help = $_ -split "`t", 2
        if (-not $help) { $help = $value }
        $text = if ($value -match '^[\w.:=/+%-]+$') { $value } else { "'" + $value.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $help)
    }
}
